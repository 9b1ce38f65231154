#include <stddef.h>

#include "fft.h"

/* The channeliser on all processors. */
void channelizer(const float _Complex *x, const float *h, float _Complex *y, int frames, int channels, int taps) {
    float turn_re[MOST / 2], turn_im[MOST / 2];
    fft_turns(turn_re, turn_im, channels);
#pragma omp parallel for schedule(static)
    for (int n = 0; n < frames; n++) {
        float re[MOST], im[MOST];
        for (int m = 0; m < channels; m++)
            re[m] = im[m] = 0;
        for (int p = 0; p < taps; p++) {
            const float *from = (const float *)(x + (size_t)(n + p) * channels), *tap = h + p * channels;
            for (int m = 0; m < channels; m++) {
                re[m] += tap[m] * from[2 * m];
                im[m] += tap[m] * from[2 * m + 1];
            }
        }
        fft(re, im, turn_re, turn_im, channels);
        float *to = (float *)(y + (size_t)n * channels);
        for (int k = 0; k < channels; k++) {
            to[2 * k] = re[k];
            to[2 * k + 1] = im[k];
        }
    }
}
