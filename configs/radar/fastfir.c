#include <stddef.h>

#include "fft.h"

/* Rows are filtered by overlap-save on all processors: each by a filter of its own, or all
   by the conjugate of one. */
static void filter(const float *x, const float *w, float *y, int samples, int rows, int taps, int matched) {
    int length = 256;
    while (length < 4 * taps && length < MOST)
        length *= 2;
    int valid = length - taps + 1, before = matched ? 0 : taps - 1;
    float turn_re[MOST / 2], turn_im[MOST / 2];
    fft_turns(turn_re, turn_im, length);
#pragma omp parallel for schedule(static)
    for (int row = 0; row < rows; row++) {
        float re[MOST], im[MOST], filter_re[MOST], filter_im[MOST];
        const float *tap = w + (matched ? 0 : 2 * (size_t)row * taps), *from = x + 2 * (size_t)row * samples;
        float *to = y + 2 * (size_t)row * samples;
        for (int i = 0; i < length; i++) {
            filter_re[i] = i < taps ? tap[2 * i] / length : 0;
            filter_im[i] = i < taps ? tap[2 * i + 1] / length : 0;
        }
        fft(filter_re, filter_im, turn_re, turn_im, length);
        for (int i = 0; i < length && matched; i++)
            filter_im[i] = -filter_im[i];
        for (int first = -before; first + before < samples; first += valid) {
            for (int i = 0; i < length; i++) {
                int inside = first + i >= 0 && first + i < samples;
                re[i] = inside ? from[2 * (first + i)] : 0;
                im[i] = inside ? from[2 * (first + i) + 1] : 0;
            }
            fft(re, im, turn_re, turn_im, length);
            for (int i = 0; i < length; i++) {
                float a = re[i] * filter_re[i] - im[i] * filter_im[i];
                im[i] = re[i] * filter_im[i] + im[i] * filter_re[i];
                re[i] = a;
            }
            fft(im, re, turn_re, turn_im, length); /* the inverse, with parts exchanged */
            for (int i = before; i < before + valid && first + i < samples; i++) {
                to[2 * (first + i)] = re[i];
                to[2 * (first + i) + 1] = im[i];
            }
        }
    }
}

void fdfir(const float _Complex *x, const float _Complex *w, float _Complex *y, int samples, int filters, int taps) {
    filter((const float *)x, (const float *)w, (float *)y, samples, filters, taps, 0);
}

void compression(const float _Complex *x, const float _Complex *w, float _Complex *y, int samples, int pulses, int taps) {
    filter((const float *)x, (const float *)w, (float *)y, samples, pulses, taps, 1);
}
