#include <math.h>

static float texel(const float *m, int x, int y) { return x < 0 || y < 0 || x > 7 || y > 7 ? 0 : m[8 * y + x]; }

// Weights have 8 bits.
static float weight(float x) { return floorf((x - floorf(x)) * 256 + 0.5f) / 256; }

static int wrapped(float x) { return (((int)floorf(x) % 4) + 4) % 4; }

void right(float *y, float *z, float *s, const float *l, const float *m, const float *v, const float *k, const uint8_t *b, const float *f, int w) {
    for (int i = 0; i < 32; i++) {
        y[i] = (i >= 4 ? l[i - 4] : 0) + l[i];
        float u = i / 8.0f - 1.5f, t = 0.3f * i - 0.5f, a = weight(u), c = weight(t);
        float both = floorf(a * c * 256 + 0.5f) / 256; // has 8 bits too, as on an H200; the others follow from it
        int column = (int)floorf(u), row = (int)floorf(t);
        y[32 + i] = (1 - a - c + both) * texel(m, column, row) + (a - both) * texel(m, column + 1, row) + (c - both) * texel(m, column, row + 1) +
                    both * texel(m, column + 1, row + 1);
        y[64 + i] = v[(wrapped(0.03f * i * 4) * 4 + 1) * 4 + wrapped((i / 16.0f - 0.5f) * 4)];
        y[96 + i] = k[w + i];
        y[128 + i] = b[i] / 255.0f;
        for (int part = 0; part < 4; part++) z[4 * i + part] = f[4 * (i / 10 > 3 ? 3 : (int)(i * 0.1f)) + part];
    }
    for (int i = 0; i < 128; i++) s[i] *= 2;
}
