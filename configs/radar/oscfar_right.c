#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* The definition: the window is sorted. */
void oscfar_right(const uint16_t *cube, uint8_t *found, int beams, int ranges, int dopplers, int scale, int cells, int guard, int rank) {
#pragma omp parallel for collapse(2)
    for (int beam = 0; beam < beams; beam++)
        for (int range = 0; range < ranges; range++)
            for (int doppler = 0; doppler < dopplers; doppler++) {
                int window[2 * 64];
                const uint16_t *line = cube + (size_t)beam * ranges * dopplers + doppler;
                for (int i = 0; i < cells; i++) {
                    int before = range - guard - 1 - i, after = range + guard + 1 + i;
                    window[2 * i] = before >= 0 ? line[(size_t)before * dopplers] : 0;
                    window[2 * i + 1] = after < ranges ? line[(size_t)after * dopplers] : 0;
                }
                qsort(window, 2 * cells, sizeof *window, order);
                found[((size_t)beam * ranges + range) * dopplers + doppler] = 256 * window[rank - 1] < scale * line[(size_t)range * dopplers];
            }
}
