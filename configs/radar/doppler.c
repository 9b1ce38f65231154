#include <stddef.h>

#include "fft.h"

/* Doppler processing on all processors. */
void doppler(const float _Complex *x, const float *window, float _Complex *y, int ranges, int pulses) {
    float turn_re[MOST / 2], turn_im[MOST / 2];
    fft_turns(turn_re, turn_im, pulses);
#pragma omp parallel for schedule(static)
    for (int range = 0; range < ranges; range++) {
        float re[MOST], im[MOST];
        const float *from = (const float *)(x + (size_t)range * pulses);
        float *to = (float *)(y + (size_t)range * pulses);
        for (int p = 0; p < pulses; p++) {
            re[p] = window[p] * from[2 * p];
            im[p] = window[p] * from[2 * p + 1];
        }
        fft(re, im, turn_re, turn_im, pulses);
        for (int p = 0; p < pulses; p++) {
            to[2 * p] = re[p];
            to[2 * p + 1] = im[p];
        }
    }
}
