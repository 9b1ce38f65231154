#include <math.h>
#include <stdlib.h>

static float half(float x) { return (float)(_Float16)x; }

void right(int32_t *y, float *z, uint32_t *total, const int32_t *x, const float *v) {
    total[0] = 64 * 63 / 2;
    for (int t = 0; t < 64; t++) {
        int32_t *to = y + 24 * t, a = x[t], b = x[63 - t];
        uint32_t ua = a, ub = b;
        float *f = z + 8 * t;
        to[0] = ua + ub;
        to[1] = (int64_t)a * b >> 32;
        uint64_t wide = (int64_t)a * b + 5;
        to[2] = wide, to[3] = (uint32_t)(wide >> 32) ^ 0xff;
        to[4] = ua ^ ub ^ (uint32_t)t;
        to[5] = (int32_t)(ua << 20) >> 24;
        to[6] = (ua & ~0xf00u) | (ub & 15) << 8;
        uint64_t both = (uint64_t)ub << 32 | ua;
        to[7] = (both >> 24 & 255) | (both >> 56 & 255) << 8 | (both & 255) << 16 | (both >> 8 & 255) << 24;
        to[8] = (((uint64_t)ub << 32 | ua) << (t & 31)) >> 32;
        to[9] = a < b ? 5 : 7;
        to[10] = t >= 32 ? 11 : a;
        to[11] = (int32_t)rintf(a / 1000.0f);
        to[12] = a / 1000 < 0 ? 0 : a / 1000 > 255 ? 255 : a / 1000;
        to[13] = __builtin_popcount(ua);
        to[14] = a < 0 ? -1 : 0;
        to[15] = t;
        for (int i = 0; i < 4; i++) to[15] += (int8_t)(ua >> 8 * i) * (int8_t)(ub >> 8 * i);
        to[16] = 0;
        for (int i = 0; i < 32; i++) to[16] |= (uint32_t)(x[t / 32 * 32 + i] > 0) << i;
        to[17] = t % 32 >= 3 ? ua + (uint32_t)x[t - 3] : ua;
        to[18] = x[t ^ 5];
        to[19] = x[(t + 1) % 64];
        to[20] = x[t % 32 + 1];
        to[21] = a < b ? a : b;
        to[22] = t + abs((a >> 1) - (b >> 1));
        to[23] = t % 32;
        for (int i = 0; i < 4; i++) f[i] = v[4 * t + i];
        f[4] = fmaf(f[0], f[1], f[2]);
        f[5] = exp2f(f[3]);
        f[6] = half(f[0]);
        f[7] = half(f[1]);
    }
}
