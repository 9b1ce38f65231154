#include <stddef.h>

/* The definition, in double precision. */
void cfar_right(const double *cube, double *excess, int beams, int ranges, int dopplers, double factor, int cells, int guard) {
#pragma omp parallel for collapse(2)
    for (int beam = 0; beam < beams; beam++)
        for (int range = 0; range < ranges; range++)
            for (int doppler = 0; doppler < dopplers; doppler++) {
                const double *line = cube + (size_t)beam * ranges * dopplers + doppler;
                double sum = 0;
                for (int other = range - guard - cells; other <= range + guard + cells; other++) {
                    int distance = other < range ? range - other : other - range;
                    if (distance > guard && other >= 0 && other < ranges)
                        sum += line[(size_t)other * dopplers] * line[(size_t)other * dopplers];
                }
                double own = line[(size_t)range * dopplers];
                double over = own * own - factor * sum / (2 * cells);
                excess[((size_t)beam * ranges + range) * dopplers + doppler] = over > 0 ? over : 0;
            }
}
