#include <stddef.h>

#include "fft_right.h"

/* The channeliser in double precision. */
void channelizer_right(const double _Complex *x, const double *h, double _Complex *y, int frames, int channels, int taps) {
    double _Complex *turn = turns_right(channels);
#pragma omp parallel for
    for (int n = 0; n < frames; n++) {
        double _Complex *u = y + (size_t)n * channels;
        for (int m = 0; m < channels; m++)
            u[m] = 0;
        for (int p = 0; p < taps; p++)
            for (int m = 0; m < channels; m++)
                u[m] += h[p * channels + m] * x[(size_t)(n + p) * channels + m];
        fft_right(u, turn, channels);
    }
    free(turn);
}
