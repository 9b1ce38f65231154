#include <complex.h>
#include <stddef.h>

/* The product in double precision, row by row. */
void beamform_right(const double _Complex *w, const double _Complex *x, double _Complex *y, int beams, int channels, int samples) {
#pragma omp parallel for
    for (int beam = 0; beam < beams; beam++) {
        double _Complex *sum = y + (size_t)beam * samples;
        for (int i = 0; i < samples; i++)
            sum[i] = 0;
        for (int k = 0; k < channels; k++)
            for (int i = 0; i < samples; i++)
                sum[i] += w[(size_t)beam * channels + k] * x[(size_t)k * samples + i];
    }
}
