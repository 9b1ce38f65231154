#include <stddef.h>

#include "fft_right.h"

/* The chain in double precision, a beam at a time. detections are pairs. */
void chain_right(const double _Complex *x, const double _Complex *replica, const double *window, double *detections, int beams, int pulses, int ranges, double factor, int cells, int guard) {
    double _Complex *range_turn = turns_right(ranges), *pulse_turn = turns_right(pulses);
    for (int beam = 0; beam < beams; beam++) {
        double _Complex *echo = malloc(sizeof *echo * pulses * ranges);
        double *power = malloc(sizeof *power * pulses * ranges);
#pragma omp parallel for
        for (int pulse = 0; pulse < pulses; pulse++) {
            double _Complex *row = echo + (size_t)pulse * ranges;
            for (int i = 0; i < ranges; i++)
                row[i] = x[((size_t)beam * pulses + pulse) * ranges + i];
            fft_right(row, range_turn, ranges);
            for (int i = 0; i < ranges; i++)
                row[i] = conj(row[i] * replica[i]);
            fft_right(row, range_turn, ranges); /* the inverse, of conjugates */
            for (int i = 0; i < ranges; i++)
                row[i] = conj(row[i]) / ranges;
        }
#pragma omp parallel for
        for (int range = 0; range < ranges; range++) {
            double _Complex column[pulses];
            for (int p = 0; p < pulses; p++)
                column[p] = window[p] * echo[(size_t)p * ranges + range];
            fft_right(column, pulse_turn, pulses);
            for (int p = 0; p < pulses; p++)
                power[(size_t)range * pulses + p] = creal(column[p] * conj(column[p]));
        }
#pragma omp parallel for
        for (int range = 0; range < ranges; range++) {
            double total = 0, moment = 0;
            for (int bin = 0; bin < pulses; bin++) {
                double sum = 0;
                for (int d = guard + 1; d <= guard + cells; d++) {
                    if (range - d >= 0)
                        sum += power[(size_t)(range - d) * pulses + bin];
                    if (range + d < ranges)
                        sum += power[(size_t)(range + d) * pulses + bin];
                }
                double excess = power[(size_t)range * pulses + bin] - factor * sum / (2 * cells);
                if (excess > 0) {
                    total += excess;
                    moment += excess * bin;
                }
            }
            detections[2 * ((size_t)beam * ranges + range)] = total;
            detections[2 * ((size_t)beam * ranges + range) + 1] = moment;
        }
        free(echo);
        free(power);
    }
    free(range_turn);
    free(pulse_turn);
}
