#include <stddef.h>

/* The definition, in double precision, for all Doppler bins of a range cell at once. */
void cfar_right(const double *cube, double *excess, int beams, int ranges, int dopplers, double factor, int cells, int guard) {
#pragma omp parallel for collapse(2)
    for (int beam = 0; beam < beams; beam++)
        for (int range = 0; range < ranges; range++) {
            const double *own = cube + ((size_t)beam * ranges + range) * dopplers;
            double *over = excess + ((size_t)beam * ranges + range) * dopplers;
            for (int i = 0; i < dopplers; i++)
                over[i] = own[i] * own[i];
            for (int d = -guard - cells; d <= guard + cells; d++) {
                if ((d >= -guard && d <= guard) || range + d < 0 || range + d >= ranges)
                    continue;
                const double *other = own + (ptrdiff_t)d * dopplers;
                for (int i = 0; i < dopplers; i++)
                    over[i] -= factor / (2 * cells) * other[i] * other[i];
            }
            for (int i = 0; i < dopplers; i++)
                over[i] = over[i] > 0 ? over[i] : 0;
        }
}
