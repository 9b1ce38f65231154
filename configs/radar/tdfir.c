#include <stddef.h>

enum { SPAN = 256 };

/* SPAN outputs of one filter. Real and imaginary parts lie apart, so that the
   compiler makes vectors of neighbouring outputs. */
static void span(const float *x, const float *w, float *y, int first, int samples, int taps) {
    float re[SPAN + TAPS], im[SPAN + TAPS], sum_re[SPAN] = {0}, sum_im[SPAN] = {0};
    for (int i = 0; i < SPAN + taps; i++) {
        int at = first - taps + i;
        int inside = at >= 0 && at < samples;
        re[i] = inside ? x[2 * (size_t)at] : 0;
        im[i] = inside ? x[2 * (size_t)at + 1] : 0;
    }
    for (int k = 0; k < taps; k++) {
        const float *a = re + taps - k, *b = im + taps - k;
        float w_re = w[2 * k], w_im = w[2 * k + 1];
        for (int i = 0; i < SPAN; i++) {
            sum_re[i] += w_re * a[i] - w_im * b[i];
            sum_im[i] += w_re * b[i] + w_im * a[i];
        }
    }
    for (int i = 0; i < SPAN && first + i < samples; i++) {
        y[2 * (size_t)(first + i)] = sum_re[i];
        y[2 * (size_t)(first + i) + 1] = sum_im[i];
    }
}

/* The FIR bank on all processors. */
void tdfir(const float _Complex *x, const float _Complex *w, float _Complex *y, int samples, int filters, int taps) {
#pragma omp parallel for collapse(2) schedule(static)
    for (int m = 0; m < filters; m++)
        for (int first = 0; first < samples; first += SPAN)
            span((const float *)(x + (size_t)m * samples), (const float *)(w + (size_t)m * taps), (float *)(y + (size_t)m * samples), first, samples, taps);
}
