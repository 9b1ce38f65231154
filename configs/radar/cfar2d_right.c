#include <stddef.h>
#include <stdlib.h>

/* The definition, in double precision; window has the cells of range, of Doppler, and the
   guard cells of both. */
void cfar2d_right(const double *map, double *excess, int maps, int ranges, int dopplers, double factor, int range_cells, int doppler_cells, int range_guard, int doppler_guard) {
    int reach = range_cells + range_guard, side = doppler_cells + doppler_guard;
    double count = (2.0 * reach + 1) * (2.0 * side + 1) - (2.0 * range_guard + 1) * (2.0 * doppler_guard + 1);
#pragma omp parallel for collapse(2)
    for (int m = 0; m < maps; m++)
        for (int range = 0; range < ranges; range++)
            for (int doppler = 0; doppler < dopplers; doppler++) {
                const double *from = map + (size_t)m * ranges * dopplers;
                double sum = 0;
                for (int r = range - reach; r <= range + reach; r++)
                    for (int d = doppler - side; d <= doppler + side; d++) {
                        if (r < 0 || r >= ranges || (abs(r - range) <= range_guard && abs(d - doppler) <= doppler_guard))
                            continue;
                        double v = from[(size_t)r * dopplers + (d + dopplers) % dopplers];
                        sum += v * v;
                    }
                size_t at = (size_t)range * dopplers + doppler;
                double over = from[at] * from[at] - factor * sum / count;
                excess[(size_t)m * ranges * dopplers + at] = over > 0 ? over : 0;
            }
}
