#include <complex.h>
#include <math.h>
#include <stddef.h>

/* The definition, in double precision. */
void backprojection_right(const double _Complex *profile, const double *px, const double *py, const double *pz, double _Complex *image,
                          int n, int pulses, int bins, double spacing, double nearest, double step, double wavelength) {
#pragma omp parallel for schedule(dynamic)
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++) {
            double x = (column - 0.5 * (n - 1)) * spacing, y = (row - 0.5 * (n - 1)) * spacing;
            double _Complex sum = 0;
            for (int p = 0; p < pulses; p++) {
                double range = sqrt((x - px[p]) * (x - px[p]) + (y - py[p]) * (y - py[p]) + pz[p] * pz[p]);
                double place = (range - nearest) / step;
                if (place < 0 || floor(place) >= bins - 1)
                    continue;
                const double _Complex *bin = profile + (size_t)p * bins + (int)place;
                double phase = 2 * acos(-1) * 2 * range / wavelength;
                sum += (bin[0] + (place - floor(place)) * (bin[1] - bin[0])) * (cos(phase) + sin(phase) * I);
            }
            image[(size_t)row * n + column] = sum;
        }
}
