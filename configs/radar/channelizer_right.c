#include <complex.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* The definition, in double precision. */
void channelizer_right(const double _Complex *x, const double *h, double _Complex *y, int frames, int channels, int taps) {
    double _Complex *turn = malloc(channels * sizeof *turn), *u = malloc(channels * sizeof *u);
    for (int i = 0; i < channels; i++)
        turn[i] = cexp(-2 * acos(-1) * I * i / channels);
    for (int n = 0; n < frames; n++) {
        for (int m = 0; m < channels; m++) {
            u[m] = 0;
            for (int p = 0; p < taps; p++)
                u[m] += h[p * channels + m] * x[(size_t)(n + p) * channels + m];
        }
        for (int k = 0; k < channels; k++) {
            double _Complex sum = 0;
            for (int m = 0; m < channels; m++)
                sum += u[m] * turn[(long)m * k % channels];
            y[(size_t)n * channels + k] = sum;
        }
    }
    free(turn);
    free(u);
}
