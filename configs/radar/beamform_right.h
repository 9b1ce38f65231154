#include <complex.h>
#include <stddef.h>

enum { PIECE = 512 };

/* The product in double precision, by pieces of a row that stay in the first-level cache. */
static void product(const double _Complex *w, const double _Complex *x, double _Complex *y, int beams, int channels, int samples) {
#pragma omp parallel for
    for (int first = 0; first < samples; first += PIECE) {
        int end = samples - first < PIECE ? samples : first + PIECE;
        for (int beam = 0; beam < beams; beam++) {
            double _Complex *sum = y + (size_t)beam * samples;
            for (int i = first; i < end; i++)
                sum[i] = 0;
            for (int k = 0; k < channels; k++)
                for (int i = first; i < end; i++)
                    sum[i] += w[(size_t)beam * channels + k] * x[(size_t)k * samples + i];
        }
    }
}
