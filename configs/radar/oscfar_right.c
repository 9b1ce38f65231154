#include <stddef.h>
#include <stdint.h>

/* The RANK-th smallest of a window is below a limit if RANK of its cells are. They are
   counted for all Doppler bins of a range cell at once. */
void oscfar_right(const uint16_t *cube, uint8_t *found, int beams, int ranges, int dopplers, int scale, int cells, int guard, int rank) {
#pragma omp parallel for collapse(2)
    for (int beam = 0; beam < beams; beam++)
        for (int range = 0; range < ranges; range++) {
            const uint16_t *own = cube + ((size_t)beam * ranges + range) * dopplers;
            uint8_t *below = found + ((size_t)beam * ranges + range) * dopplers;
            for (int i = 0; i < dopplers; i++)
                below[i] = 0;
            for (int d = -guard - cells; d <= guard + cells; d++) {
                if (d >= -guard && d <= guard)
                    continue;
                int inside = range + d >= 0 && range + d < ranges;
                const uint16_t *other = own + (inside ? (ptrdiff_t)d * dopplers : 0);
                for (int i = 0; i < dopplers; i++)
                    below[i] += 256 * (inside ? other[i] : 0) < scale * own[i];
            }
            for (int i = 0; i < dopplers; i++)
                below[i] = below[i] >= rank;
        }
}
