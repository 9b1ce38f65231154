#include <complex.h>
#include <stddef.h>

/* The correlation of the definition, in double precision. */
void compression_right(const double _Complex *x, const double _Complex *w, double _Complex *y, int samples, int pulses, int taps) {
    for (int m = 0; m < pulses; m++)
        for (int i = 0; i < samples; i++) {
            double _Complex sum = 0;
            for (int k = 0; k < taps && i + k < samples; k++)
                sum += conj(w[k]) * x[(size_t)m * samples + i + k];
            y[(size_t)m * samples + i] = sum;
        }
}
