#include <stddef.h>
#include <stdint.h>

enum { WIDTH = 256 };

/* Up to WIDTH Doppler bins of a range cell: as many windows are counted at once as a vector
   has numbers of 16 bits. */
static void cell(const uint16_t *cube, uint8_t *found, int range, int ranges, int dopplers, int width, int scale, int cells, int guard, int rank) {
    uint16_t limit[WIDTH], below[WIDTH] = {0};
    const uint16_t *own = cube + (size_t)range * dopplers;
    for (int i = 0; i < width; i++)
        limit[i] = (own[i] * scale + 255) / 256;
    for (int d = guard + 1; d <= guard + cells; d++)
        for (int side = 0; side < 2; side++) {
            int other = side ? range + d : range - d;
            int inside = other >= 0 && other < ranges;
            const uint16_t *from = inside ? cube + (size_t)other * dopplers : own;
            uint16_t mask = inside ? 0xffff : 0;
            for (int i = 0; i < width; i++)
                below[i] += (from[i] & mask) < limit[i];
        }
    for (int i = 0; i < width; i++)
        found[(size_t)range * dopplers + i] = below[i] >= rank;
}

/* OS-CFAR on all processors. */
void oscfar(const uint16_t *cube, uint8_t *found, int beams, int ranges, int dopplers, int scale, int cells, int guard, int rank) {
#pragma omp parallel for collapse(3) schedule(static)
    for (int beam = 0; beam < beams; beam++)
        for (int range = 0; range < ranges; range++)
            for (int left = 0; left < dopplers; left += WIDTH) {
                size_t at = (size_t)beam * ranges * dopplers + left;
                int width = dopplers - left < WIDTH ? dopplers - left : WIDTH;
                cell(cube + at, found + at, range, ranges, dopplers, width, scale, cells, guard, rank);
            }
}
