#include <complex.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* The definition, in double precision. */
void doppler_right(const double _Complex *x, const double *window, double _Complex *y, int ranges, int pulses) {
    double _Complex *turn = malloc(pulses * sizeof *turn);
    for (int i = 0; i < pulses; i++)
        turn[i] = cexp(-2 * acos(-1) * I * i / pulses);
    for (int range = 0; range < ranges; range++)
        for (int bin = 0; bin < pulses; bin++) {
            double _Complex sum = 0;
            for (int p = 0; p < pulses; p++)
                sum += window[p] * x[(size_t)range * pulses + p] * turn[(long)p * bin % pulses];
            y[(size_t)range * pulses + bin] = sum;
        }
    free(turn);
}
