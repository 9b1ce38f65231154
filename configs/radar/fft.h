/* Transforms of a power of two of complex numbers, up to MOST: Stockham's algorithm, radix
   2, with real and imaginary parts apart, so that the compiler makes vectors of it. */
#include <math.h>
#include <string.h>

enum { MOST = 8192 };

/* The twiddle factors of a transform of n numbers, n/2 of them. */
static void fft_turns(float *re, float *im, int n) {
    for (int i = 0; i < n / 2; i++) {
        re[i] = cos(2 * acos(-1) * i / n);
        im[i] = -sin(2 * acos(-1) * i / n);
    }
}

/* Transforms n numbers in place. */
static void fft(float *re, float *im, const float *turn_re, const float *turn_im, int n) {
    static _Thread_local float other_re[MOST], other_im[MOST];
    float *from_re = re, *from_im = im, *to_re = other_re, *to_im = other_im;
    for (int length = n / 2, stride = 1; length > 0; length /= 2, stride *= 2) {
        for (int p = 0; p < length; p++) {
            float w_re = turn_re[p * stride], w_im = turn_im[p * stride];
            const float *a_re = from_re + stride * p, *a_im = from_im + stride * p;
            const float *b_re = a_re + stride * length, *b_im = a_im + stride * length;
            float *c_re = to_re + 2 * stride * p, *c_im = to_im + 2 * stride * p;
            float *d_re = c_re + stride, *d_im = c_im + stride;
            for (int q = 0; q < stride; q++) {
                float u_re = a_re[q] - b_re[q], u_im = a_im[q] - b_im[q];
                c_re[q] = a_re[q] + b_re[q];
                c_im[q] = a_im[q] + b_im[q];
                d_re[q] = u_re * w_re - u_im * w_im;
                d_im[q] = u_re * w_im + u_im * w_re;
            }
        }
        float *swap = from_re;
        from_re = to_re, to_re = swap;
        swap = from_im, from_im = to_im, to_im = swap;
    }
    if (from_re != re) {
        memcpy(re, from_re, n * sizeof *re);
        memcpy(im, from_im, n * sizeof *im);
    }
}
