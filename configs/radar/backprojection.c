#include <math.h>
#include <stddef.h>

enum { WIDTH = 64 };

/* WIDTH pixels of a row, pulse after pulse: the first loop over the pixels has no branch and
   becomes vectors. */
static void strip(const float *profile, const float *px, const float *py, const float *pz, float *image, int left, int row,
                  int n, int pulses, int bins, double spacing, double nearest, double step, double wavelength) {
    float sum_re[WIDTH] = {0}, sum_im[WIDTH] = {0}, phase[WIDTH], weight[WIDTH];
    int bin[WIDTH];
    double y = (row - 0.5 * (n - 1)) * spacing;
    for (int p = 0; p < pulses; p++) {
        const float *line = profile + 2 * (size_t)p * bins;
        double across = (y - py[p]) * (y - py[p]) + (double)pz[p] * pz[p];
        for (int i = 0; i < WIDTH; i++) {
            double dx = (left + i - 0.5 * (n - 1)) * spacing - px[p];
            double range = sqrt(dx * dx + across);
            double place = (range - nearest) / step, turns = 2 * range / wavelength;
            double whole = floor(place);
            bin[i] = whole;
            weight[i] = place - whole;
            phase[i] = 2 * M_PI * (turns - rint(turns));
        }
        for (int i = 0; i < WIDTH; i++) {
            if (bin[i] < 0 || bin[i] >= bins - 1)
                continue;
            const float *a = line + 2 * bin[i];
            float re = a[0] + weight[i] * (a[2] - a[0]), im = a[1] + weight[i] * (a[3] - a[1]);
            float sine = sinf(phase[i]), cosine = cosf(phase[i]);
            sum_re[i] += re * cosine - im * sine;
            sum_im[i] += re * sine + im * cosine;
        }
    }
    for (int i = 0; i < WIDTH && left + i < n; i++) {
        image[2 * ((size_t)row * n + left + i)] = sum_re[i];
        image[2 * ((size_t)row * n + left + i) + 1] = sum_im[i];
    }
}

/* Backprojection on all processors. */
void backprojection(const float _Complex *profile, const float *px, const float *py, const float *pz, float _Complex *image,
                    int n, int pulses, int bins, double spacing, double nearest, double step, double wavelength) {
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (int row = 0; row < n; row++)
        for (int left = 0; left < n; left += WIDTH)
            strip((const float *)profile, px, py, pz, (float *)image, left, row, n, pulses, bins, spacing, nearest, step, wavelength);
}
