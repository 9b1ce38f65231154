#include <complex.h>
#include <stddef.h>

/* The product in double precision; w and x have real and imaginary parts in turn. */
void beamform16_right(const double *w, const double *x, double _Complex *y, int beams, int channels, int samples) {
#pragma omp parallel for
    for (int beam = 0; beam < beams; beam++) {
        double _Complex *sum = y + (size_t)beam * samples;
        for (int i = 0; i < samples; i++)
            sum[i] = 0;
        for (int k = 0; k < channels; k++)
            for (int i = 0; i < samples; i++) {
                const double *a = w + 2 * ((size_t)beam * channels + k), *b = x + 2 * ((size_t)k * samples + i);
                sum[i] += (a[0] + a[1] * I) * (b[0] + b[1] * I);
            }
    }
}
