#include <complex.h>
#include <stddef.h>

enum { PIECE = 512 };

/* The product in double precision, by pieces of a row that stay in the first-level cache. w
   and x have real and imaginary parts in turn, as complex numbers do. */
void beamform16_right(const double *w, const double *x, double _Complex *y, int beams, int channels, int samples) {
    const double _Complex *weight = (const double _Complex *)w, *signal = (const double _Complex *)x;
#pragma omp parallel for
    for (int first = 0; first < samples; first += PIECE) {
        int end = samples - first < PIECE ? samples : first + PIECE;
        for (int beam = 0; beam < beams; beam++) {
            double _Complex *sum = y + (size_t)beam * samples;
            for (int i = first; i < end; i++)
                sum[i] = 0;
            for (int k = 0; k < channels; k++)
                for (int i = first; i < end; i++)
                    sum[i] += weight[(size_t)beam * channels + k] * signal[(size_t)k * samples + i];
        }
    }
}
