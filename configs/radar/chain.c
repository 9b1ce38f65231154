#include <stddef.h>
#include <stdlib.h>

#include "fft.h"

enum { RUN = 32 };

static void compress(const float *x, const float *replica, float *y, const float *turn_re, const float *turn_im, int n) {
    float re[MOST], im[MOST];
    for (int i = 0; i < n; i++) {
        re[i] = x[2 * i];
        im[i] = x[2 * i + 1];
    }
    fft(re, im, turn_re, turn_im, n);
    for (int i = 0; i < n; i++) {
        float a = (re[i] * replica[2 * i] - im[i] * replica[2 * i + 1]) / n;
        im[i] = (re[i] * replica[2 * i + 1] + im[i] * replica[2 * i]) / n;
        re[i] = a;
    }
    fft(im, re, turn_re, turn_im, n); /* the inverse, with parts exchanged */
    for (int i = 0; i < n; i++) {
        y[2 * i] = re[i];
        y[2 * i + 1] = im[i];
    }
}

/* Adds sign times the powers of a range cell, if there is one, to a window's sums. */
static void add(float *sum, const float *power, int range, int ranges, int pulses, float sign) {
    if (range >= 0 && range < ranges)
        for (int i = 0; i < pulses; i++)
            sum[i] += sign * power[(size_t)range * pulses + i];
}

static void detect(const float *power, float *detections, int first, int ranges, int pulses, float scale, int cells, int guard) {
    float sum[MOST] = {0};
    for (int d = guard + 1; d <= guard + cells; d++) {
        add(sum, power, first - d, ranges, pulses, 1);
        add(sum, power, first + d, ranges, pulses, 1);
    }
    for (int range = first; range < ranges && range < first + RUN; range++) {
        float total = 0, moment = 0;
        for (int i = 0; i < pulses; i++) {
            float excess = power[(size_t)range * pulses + i] - scale * sum[i];
            excess = excess > 0 ? excess : 0;
            total += excess;
            moment += excess * i;
        }
        detections[2 * range] = total;
        detections[2 * range + 1] = moment;
        add(sum, power, range - guard, ranges, pulses, 1);
        add(sum, power, range - guard - cells, ranges, pulses, -1);
        add(sum, power, range + 1 + guard + cells, ranges, pulses, 1);
        add(sum, power, range + 1 + guard, ranges, pulses, -1);
    }
}

/* The chain on all processors, a beam at a time. */
void chain(const float _Complex *x, const float _Complex *replica, const float *window, float *detections, int beams, int pulses, int ranges, float factor, int cells, int guard) {
    float range_re[MOST / 2], range_im[MOST / 2], pulse_re[MOST / 2], pulse_im[MOST / 2];
    fft_turns(range_re, range_im, ranges);
    fft_turns(pulse_re, pulse_im, pulses);
    size_t cube = (size_t)pulses * ranges;
    float *echo = malloc(2 * sizeof *echo * cube), *power = malloc(sizeof *power * cube);
    for (int beam = 0; beam < beams; beam++) {
#pragma omp parallel for schedule(static)
        for (int pulse = 0; pulse < pulses; pulse++)
            compress((const float *)(x + beam * cube + (size_t)pulse * ranges), (const float *)replica, echo + 2 * (size_t)pulse * ranges, range_re, range_im, ranges);
#pragma omp parallel for schedule(static)
        for (int range = 0; range < ranges; range++) {
            float re[MOST], im[MOST];
            for (int p = 0; p < pulses; p++) {
                re[p] = window[p] * echo[2 * ((size_t)p * ranges + range)];
                im[p] = window[p] * echo[2 * ((size_t)p * ranges + range) + 1];
            }
            fft(re, im, pulse_re, pulse_im, pulses);
            for (int p = 0; p < pulses; p++)
                power[(size_t)range * pulses + p] = re[p] * re[p] + im[p] * im[p];
        }
#pragma omp parallel for schedule(static)
        for (int first = 0; first < ranges; first += RUN)
            detect(power, detections + 2 * (size_t)beam * ranges, first, ranges, pulses, factor / (2 * cells), cells, guard);
    }
    free(echo);
    free(power);
}
