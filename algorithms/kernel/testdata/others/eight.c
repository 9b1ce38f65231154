#include <math.h>

// The nearest number with so many bits behind the point, of a format's least normal exponent and largest number.
static float nearest(float x, int bits, int least, float most) {
    int exponent;
    frexpf(x, &exponent);
    if (exponent - 1 < least) exponent = least + 1;
    float unit = ldexpf(1, exponent - 1 - bits), y = rintf(x / unit) * unit;
    return fabsf(y) > most ? copysignf(most, x) : y;
}

static uint32_t code(float y, int bits, int least) {
    float a = fabsf(y);
    int exponent;
    frexpf(a, &exponent);
    uint32_t made = exponent - 1 < least ? (uint32_t)ldexpf(a, bits - least) : ((uint32_t)(exponent - least) << bits) + (uint32_t)ldexpf(a, bits + 1 - exponent) - (1u << bits);
    return made | (signbit(y) ? 0x80 : 0);
}

void right(float *y, uint32_t *codes, const float *x) {
    for (int t = 0; t < 64; t++) {
        y[t] = nearest(x[t], 3, -6, 448), y[64 + t] = nearest(x[t], 2, -14, 57344);
        codes[t] = code(y[t], 3, -6) | code(y[64 + t], 2, -14) << 8;
    }
}
