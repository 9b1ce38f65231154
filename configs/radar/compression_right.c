#include <stddef.h>

#include "fft_right.h"

/* The correlation in double precision, by transforms of whole pulses with as many zeros that
   none wraps around. */
void compression_right(const double _Complex *x, const double _Complex *w, double _Complex *y, int samples, int pulses, int taps) {
    int n = 2;
    while (n < samples + taps)
        n *= 2;
    double _Complex *turn = turns_right(n), *replica = calloc(n, sizeof *replica);
    for (int k = 0; k < taps; k++)
        replica[k] = w[k] / n;
    fft_right(replica, turn, n);
#pragma omp parallel for
    for (int m = 0; m < pulses; m++) {
        double _Complex *pulse = calloc(n, sizeof *pulse);
        for (int i = 0; i < samples; i++)
            pulse[i] = x[(size_t)m * samples + i];
        fft_right(pulse, turn, n);
        for (int i = 0; i < n; i++)
            pulse[i] = conj(pulse[i]) * replica[i];
        fft_right(pulse, turn, n); /* the inverse, of conjugates */
        for (int i = 0; i < samples; i++)
            y[(size_t)m * samples + i] = conj(pulse[i]);
        free(pulse);
    }
    free(turn);
    free(replica);
}
