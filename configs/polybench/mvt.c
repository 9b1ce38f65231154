#include <stddef.h>

/* x1 = x1 + A·y1 and x2 = x2 + A'·y2 in double precision. */
void mvt(const double *A, const double *y1, const double *y2, double *x1, double *x2, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            x1[i] += A[(size_t)i * n + j] * y1[j];
            x2[j] += A[(size_t)i * n + j] * y2[i];
        }
}
