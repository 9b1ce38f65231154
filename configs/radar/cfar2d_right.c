#include <stddef.h>
#include <stdlib.h>

/* For each Doppler bin the sum of powers over ±reach range cells and ±side bins, which are
   periodic. */
static void box(double *sum, const double *map, int range, int ranges, int dopplers, int reach, int side, double *column) {
    for (int i = 0; i < dopplers; i++)
        column[i] = 0;
    for (int r = range - reach; r <= range + reach; r++)
        for (int i = 0; i < dopplers && r >= 0 && r < ranges; i++)
            column[i] += map[(size_t)r * dopplers + i] * map[(size_t)r * dopplers + i];
    for (int i = 0; i < dopplers; i++) {
        sum[i] = 0;
        for (int d = i - side; d <= i + side; d++)
            sum[i] += column[d < 0 ? d + dopplers : d < dopplers ? d : d - dopplers];
    }
}

/* The definition, in double precision: the sum of a box less that of the guard cells in it. */
void cfar2d_right(const double *map, double *excess, int maps, int ranges, int dopplers, double factor, int range_cells, int doppler_cells, int range_guard, int doppler_guard) {
    int reach = range_cells + range_guard, side = doppler_cells + doppler_guard;
    double count = (2.0 * reach + 1) * (2.0 * side + 1) - (2.0 * range_guard + 1) * (2.0 * doppler_guard + 1);
#pragma omp parallel for
    for (int m = 0; m < maps; m++) {
        double *outer = malloc(3 * dopplers * sizeof *outer), *inner = outer + dopplers, *column = inner + dopplers;
        const double *from = map + (size_t)m * ranges * dopplers;
        for (int range = 0; range < ranges; range++) {
            box(outer, from, range, ranges, dopplers, reach, side, column);
            box(inner, from, range, ranges, dopplers, range_guard, doppler_guard, column);
            for (int i = 0; i < dopplers; i++) {
                size_t at = (size_t)range * dopplers + i;
                double over = from[at] * from[at] - factor * (outer[i] - inner[i]) / count;
                excess[(size_t)m * ranges * dopplers + at] = over > 0 ? over : 0;
            }
        }
        free(outer);
    }
}
