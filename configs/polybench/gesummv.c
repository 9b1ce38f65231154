#include <stddef.h>

/* y = alpha·A·x + beta·B·x in double precision. */
void gesummv(double alpha, double beta, const double *A, const double *B, const double *x, double *y, int n) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += (alpha * A[(size_t)i * n + j] + beta * B[(size_t)i * n + j]) * x[j];
        y[i] = sum;
    }
}
