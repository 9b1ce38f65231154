/* What an element costs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

static inline float work(float x) {
    float s = x;
    for (int k = 0; k < 12; k++)
        s = 0.5f * cosf(s) + x;
    return s;
}

static inline void all(float *y, const float *x, int n) {
    for (int i = 0; i < n; i++)
        y[i] = work(x[i]);
}
