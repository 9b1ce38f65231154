#include <complex.h>
#include <stddef.h>

/* The sum of the definition, in double precision. */
void tdfir_right(const double _Complex *x, const double _Complex *w, double _Complex *y, int samples, int filters, int taps) {
    for (int m = 0; m < filters; m++)
        for (int i = 0; i < samples; i++) {
            double _Complex sum = 0;
            for (int k = 0; k < taps && k <= i; k++)
                sum += w[(size_t)m * taps + k] * x[(size_t)m * samples + i - k];
            y[(size_t)m * samples + i] = sum;
        }
}
