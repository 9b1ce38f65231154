#include <stddef.h>

enum { RUN = 64, WIDTH = 256 };

static void add(float *sum, const float *from, int width, float sign) {
    for (int i = 0; i < width; i++)
        sum[i] += sign * from[i] * from[i];
}

/* RUN range cells of a beam, from range first on, and up to WIDTH Doppler bins, with
   sums that slide along range. */
static void run(const float *cube, float *excess, int first, int ranges, int dopplers, int width, float scale, int cells, int guard) {
    float sum[WIDTH] = {0};
    for (int d = guard + 1; d <= guard + cells; d++) {
        if (first - d >= 0)
            add(sum, cube + (size_t)(first - d) * dopplers, width, 1);
        if (first + d < ranges)
            add(sum, cube + (size_t)(first + d) * dopplers, width, 1);
    }
    for (int range = first; range < ranges && range < first + RUN; range++) {
        const float *own = cube + (size_t)range * dopplers;
        float *to = excess + (size_t)range * dopplers;
        for (int i = 0; i < width; i++) {
            float over = own[i] * own[i] - scale * sum[i];
            to[i] = over > 0 ? over : 0;
        }
        int leave[2] = {range - guard - cells, range + 1 + guard}, enter[2] = {range - guard, range + 1 + guard + cells};
        for (int side = 0; side < 2; side++) {
            if (leave[side] >= 0 && leave[side] < ranges)
                add(sum, cube + (size_t)leave[side] * dopplers, width, -1);
            if (enter[side] >= 0 && enter[side] < ranges)
                add(sum, cube + (size_t)enter[side] * dopplers, width, 1);
        }
    }
}

/* CFAR on all processors. */
void cfar(const float *cube, float *excess, int beams, int ranges, int dopplers, float factor, int cells, int guard) {
#pragma omp parallel for collapse(3) schedule(static)
    for (int beam = 0; beam < beams; beam++)
        for (int first = 0; first < ranges; first += RUN)
            for (int left = 0; left < dopplers; left += WIDTH) {
                size_t at = (size_t)beam * ranges * dopplers + left;
                int width = dopplers - left < WIDTH ? dopplers - left : WIDTH;
                run(cube + at, excess + at, first, ranges, dopplers, width, factor / (2 * cells), cells, guard);
            }
}
