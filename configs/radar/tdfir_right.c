#include <complex.h>
#include <stddef.h>

/* The sums of the definition, in double precision, tap by tap. */
void tdfir_right(const double _Complex *x, const double _Complex *w, double _Complex *y, int samples, int filters, int taps) {
#pragma omp parallel for
    for (int m = 0; m < filters; m++) {
        const double _Complex *from = x + (size_t)m * samples;
        double _Complex *sum = y + (size_t)m * samples;
        for (int i = 0; i < samples; i++)
            sum[i] = 0;
        for (int k = 0; k < taps; k++)
            for (int i = k; i < samples; i++)
                sum[i] += w[(size_t)m * taps + k] * from[i - k];
    }
}
