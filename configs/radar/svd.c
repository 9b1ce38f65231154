#include <math.h>
#include <string.h>

enum { SWEEPS = 15 };

/* Makes the columns of a matrix orthogonal, in place, and writes their lengths, largest first. Two columns are near enough if their product is at
   most near times their lengths. */
static void singular(float *a, float *values, int rows, int columns, float near) {
    int again = 1;
    for (int sweep = 0; again && sweep < SWEEPS; sweep++) {
        again = 0;
        for (int i = 0; i < columns; i++)
            for (int j = i + 1; j < columns; j++) {
                float *p = a + 2 * i * rows, *q = a + 2 * j * rows, pp = 0, qq = 0, re = 0, im = 0;
                for (int k = 0; k < 2 * rows; k += 2) {
                    pp += p[k] * p[k] + p[k + 1] * p[k + 1];
                    qq += q[k] * q[k] + q[k + 1] * q[k + 1];
                    re += p[k] * q[k] + p[k + 1] * q[k + 1];
                    im += p[k] * q[k + 1] - p[k + 1] * q[k];
                }
                float size = re * re + im * im;
                if (!(size > near * near * pp * qq))
                    continue;
                again = 1;
                size = sqrtf(size);
                float z = (qq - pp) / (2 * size), t = (z < 0 ? -1 : 1) / (fabsf(z) + sqrtf(1 + z * z));
                float c = 1 / sqrtf(1 + t * t), sr = c * t * re / size, si = c * t * im / size;
                for (int k = 0; k < 2 * rows; k += 2) {
                    float x = p[k], y = p[k + 1], u = q[k], v = q[k + 1];
                    p[k] = c * x - sr * u - si * v;
                    p[k + 1] = c * y - sr * v + si * u;
                    q[k] = c * u + sr * x - si * y;
                    q[k + 1] = c * v + sr * y + si * x;
                }
            }
    }
    for (int i = 0; i < columns; i++) {
        float length = 0;
        for (int k = 0; k < 2 * rows; k++)
            length += a[2 * i * rows + k] * a[2 * i * rows + k];
        length = sqrtf(length);
        int at = i;
        for (; at > 0 && values[at - 1] < length; at--)
            values[at] = values[at - 1];
        values[at] = length;
    }
}

void svd(const float _Complex *a, float *values, int batch, int rows, int columns) {
#pragma omp parallel for schedule(dynamic, 16)
    for (int i = 0; i < batch; i++) {
        float own[2 * 128 * 64];
        memcpy(own, a + (size_t)i * rows * columns, sizeof(float) * 2 * rows * columns);
        singular(own, values + (size_t)i * columns, rows, columns, 1e-6f);
    }
}
