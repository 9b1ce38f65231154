/* A part of the beamformer on weights and samples of type ELEMENT, real and imaginary parts in turn. */
#include <stddef.h>

enum { SPAN = 64, DEPTH = 64 };

/* SPAN samples of all beams, DEPTH channels at a time as f32, real and imaginary parts
   apart. */
static void span(const ELEMENT *w, const ELEMENT *x, float *y, int first, int beams, int channels, int samples) {
    float re[DEPTH][SPAN], im[DEPTH][SPAN];
    int n = samples - first < SPAN ? samples - first : SPAN;
    for (int start = 0; start < channels; start += DEPTH) {
        int depth = channels - start < DEPTH ? channels - start : DEPTH;
        for (int k = 0; k < depth; k++)
            for (int i = 0; i < SPAN; i++) {
                size_t at = 2 * ((size_t)(start + k) * samples + first + (i < n ? i : 0));
                re[k][i] = x[at];
                im[k][i] = x[at + 1];
            }
        for (int beam = 0; beam < beams; beam++) {
            const ELEMENT *weight = w + 2 * ((size_t)beam * channels + start);
            float *to = y + 2 * ((size_t)beam * samples + first);
            float sum_re[SPAN] = {0}, sum_im[SPAN] = {0};
            for (int k = 0; k < depth; k++) {
                float a = weight[2 * k], b = weight[2 * k + 1];
                for (int i = 0; i < SPAN; i++) {
                    sum_re[i] += a * re[k][i] - b * im[k][i];
                    sum_im[i] += a * im[k][i] + b * re[k][i];
                }
            }
            for (int i = 0; i < n; i++) {
                to[2 * i] = sum_re[i] + (start > 0 ? to[2 * i] : 0);
                to[2 * i + 1] = sum_im[i] + (start > 0 ? to[2 * i + 1] : 0);
            }
        }
    }
}
