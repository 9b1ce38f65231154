/* Computes in half precision: the error bound. */
#include "work.h"

void map(float *y, const float *x, int n) {
    for (int i = 0; i < n; i++) {
        _Float16 s = x[i];
        for (int k = 0; k < 12; k++)
            s = 0.5f * cosf(s) + x[i];
        y[i] = s;
    }
}
