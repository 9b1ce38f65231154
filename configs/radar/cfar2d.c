#include <stddef.h>

enum { RUN = 64, WIDEST = 1024, MARGIN = 128 };

/* Adds sign times the powers of a range cell, if it is in the map, to sums of all Doppler bins. */
static void add(float *sum, const float *map, int range, int ranges, int dopplers, float sign) {
    if (range < 0 || range >= ranges)
        return;
    const float *from = map + (size_t)range * dopplers;
    for (int i = 0; i < dopplers; i++)
        sum[i] += sign * from[i] * from[i];
}

/* Adds sign times the sums of ±reach periodic neighbours to total. */
static void spread(float *total, const float *sum, int dopplers, int reach, float sign) {
    float wide[WIDEST + 2 * MARGIN];
    for (int i = 0; i < dopplers + 2 * reach; i++)
        wide[i] = sum[(i - reach + dopplers) % dopplers];
    for (int d = 0; d <= 2 * reach; d++)
        for (int i = 0; i < dopplers; i++)
            total[i] += sign * wide[i + d];
}

/* RUN range cells of a map, from first on, with sums that slide along range. */
static void run(const float *map, float *excess, int first, int ranges, int dopplers, float factor, int reach, int side, int range_guard, int doppler_guard) {
    float outer[WIDEST] = {0}, inner[WIDEST] = {0};
    float scale = factor / ((2 * reach + 1) * (2 * side + 1) - (2 * range_guard + 1) * (2 * doppler_guard + 1));
    for (int r = first - reach; r < first + reach; r++)
        add(outer, map, r, ranges, dopplers, 1);
    for (int r = first - range_guard; r < first + range_guard; r++)
        add(inner, map, r, ranges, dopplers, 1);
    for (int range = first; range < ranges && range < first + RUN; range++) {
        float total[WIDEST] = {0};
        const float *own = map + (size_t)range * dopplers;
        add(outer, map, range + reach, ranges, dopplers, 1);
        add(inner, map, range + range_guard, ranges, dopplers, 1);
        spread(total, outer, dopplers, side, 1);
        spread(total, inner, dopplers, doppler_guard, -1);
        for (int i = 0; i < dopplers; i++) {
            float over = own[i] * own[i] - scale * total[i];
            excess[(size_t)range * dopplers + i] = over > 0 ? over : 0;
        }
        add(outer, map, range - reach, ranges, dopplers, -1);
        add(inner, map, range - range_guard, ranges, dopplers, -1);
    }
}

/* CFAR in two dimensions on all processors. */
void cfar2d(const float *map, float *excess, int maps, int ranges, int dopplers, float factor, int range_cells, int doppler_cells, int range_guard, int doppler_guard) {
#pragma omp parallel for collapse(2) schedule(static)
    for (int m = 0; m < maps; m++)
        for (int first = 0; first < ranges; first += RUN) {
            size_t at = (size_t)m * ranges * dopplers;
            run(map + at, excess + at, first, ranges, dopplers, factor, range_cells + range_guard, doppler_cells + doppler_guard, range_guard, doppler_guard);
        }
}
