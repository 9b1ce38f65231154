#include <math.h>
#include <stdlib.h>
void right_copy(const double *x, double *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i]; }
void right_triad(const double *x, const double *z, double *y, int n) { for (int i = 0; i < n; i++) y[i] = 3 * x[i] + z[i]; }
void right_multiply_add(const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < 4; j++) {
            double a = x[i] + 0.1 * j;
            for (int k = 0; k < 60; k++) /* it has converged long before */
                a = a * 0.5 + 0.25;
            sum += a;
        }
        y[i] = sum;
    }
}
void right_scan_blocks(const double *x, double *y, int n)
{
    for (int b = 0; b < n; b += 256) {
        double sum = 0;
        for (int i = b; i < b + 256; i++) y[i] = sum += x[i];
    }
}
void right_sum(const double *x, double *y, int n, int parts) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; y[0] = s; }
void right_transpose(const double *x, double *y, int n) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) y[(long)j * n + i] = x[(long)i * n + j]; }
void right_stencil(const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = -3; k <= 3; k++) if (i + k >= 0 && i + k < n) s += x[i + k];
        y[i] = s;
    }
}
void right_gather(const double *x, double *y, int n) { for (int i = 0; i < n; i++) y[i] = x[(unsigned)i * 2654435761u % (unsigned)n]; }
void right_butterflies(const double *x, double *y, int n)
{
    for (int b = 0; b < n; b += 512) {
        double p[512];
        for (int i = 0; i < 512; i++) p[i] = x[b + i];
        for (int w = 1; w < 512; w *= 2)
            for (int me = 0; me < 256; me++) {
                int at = me / w * 2 * w + me % w;
                double a = p[at], c = p[at + w];
                p[at] = (a + c) * 0.70710678118654752;
                p[at + w] = (a - c) * 0.70710678118654752;
            }
        for (int i = 0; i < 512; i++) y[b + i] = p[i];
    }
}
void right_forces(const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < n; k++) {
            double d = x[k] - x[i], q = d * d + 0.01;
            s += d / (q * sqrt(q));
        }
        y[i] = s;
    }
}
