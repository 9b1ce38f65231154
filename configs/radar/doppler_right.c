#include <stddef.h>

#include "fft_right.h"

/* Doppler processing in double precision. */
void doppler_right(const double _Complex *x, const double *window, double _Complex *y, int ranges, int pulses) {
    double _Complex *turn = turns_right(pulses);
#pragma omp parallel for
    for (int range = 0; range < ranges; range++) {
        double _Complex *row = y + (size_t)range * pulses;
        for (int p = 0; p < pulses; p++)
            row[p] = window[p] * x[(size_t)range * pulses + p];
        fft_right(row, turn, pulses);
    }
    free(turn);
}
