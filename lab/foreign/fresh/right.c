// Right answers for kernels of public suites. The arguments are the kernels', by their configs.
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

// y = beta y + alpha A x, where A is Hermitian and the triangle at a[row*370+column], column >= row, is given.
void chemv(const double _Complex *a, const double _Complex *x, double _Complex *y, double ai, double ar, double bi, double br) {
    for (int r = 0; r < 370; r++) {
        double _Complex sum = creal(a[371 * r]) * x[r];
        for (int c = 0; c < 370; c++)
            if (c != r)
                sum += (c < r ? a[370 * c + r] : conj(a[370 * r + c])) * x[c];
        y[r] = (br + bi * I) * y[r] + (ar + ai * I) * sum;
    }
}

void sobel(const uint8_t *in, uint8_t *out, uint32_t w, uint32_t h) {
    for (uint32_t y = 1; y + 1 < h; y++)
        for (uint32_t x = 1; x + 1 < w; x++)
            for (int c = 0; c < 4; c++) {
#define AT(dx, dy) (float)in[4 * ((y + dy) * w + x + dx) + c]
                float gx = AT(-1, -1) + 2 * AT(-1, 0) + AT(-1, 1) - AT(1, -1) - 2 * AT(1, 0) - AT(1, 1);
                float gy = AT(-1, -1) + 2 * AT(0, -1) + AT(1, -1) - AT(-1, 1) - 2 * AT(0, 1) - AT(1, 1);
#undef AT
                float g = sqrtf(gx * gx + gy * gy) / 2;
                out[4 * (y * w + x) + c] = g > 255 ? 255 : (uint8_t)g;
            }
}

// Park and Miller's generator with Bays and Durham's shuffle, as in Numerical Recipes, started from a pixel's mean.
void urng(const uint8_t *in, uint8_t *out, int size, int factor) {
    for (int p = 0; p < size; p++) {
        int table[16], state = -(int)((in[4 * p] + in[4 * p + 1] + in[4 * p + 2] + in[4 * p + 3]) / 4.0f);
        for (int j = 16; j >= 0; j--) {
            int q = state / 127773;
            state = 16807 * (state - q * 127773) - 2836 * q;
            if (state < 0)
                state += 2147483647;
            if (j < 16)
                table[j] = state;
        }
        float d = 1.0f / 2147483647.0f * table[table[0] / (1 + 2147483646 / 16)];
        d = (d - 0.55f) * factor;
        for (int c = 0; c < 4; c++) {
            float v = in[4 * p + c] + d;
            out[4 * p + c] = v > 255 ? 255 : v < 0 ? 0 : (uint8_t)v;
        }
    }
}

// How many eigenvalues of a tridiagonal matrix lie in each interval, by Sturm's sequences.
static uint32_t below(float x, uint32_t n, const float *a, const float *b) {
    float d = a[0] - x;
    uint32_t count = d < 0;
    for (uint32_t i = 1; i < n; i++) {
        d = (a[i] - x) - b[i - 1] * b[i - 1] / d;
        count += d < 0;
    }
    return count;
}
void eigenvalues(uint32_t *counts, const float *at, const float *a, const float *b, uint32_t n) {
    for (int i = 0; i < 128; i++)
        counts[i] = below(at[2 * i + 1], n, a, b) - below(at[2 * i], n, a, b);
}

void binomial(const double *s, const double *x, const double *v, const double *up, const double *down, double *call) {
    static double at[2049];
    for (int n = 0; n < 3; n++) {
        for (int i = 0; i <= 2048; i++)
            at[i] = fmax(s[n] * exp(v[n] * (2.0 * i - 2048)) - x[n], 0);
        for (int i = 2048; i > 0; i--)
            for (int j = 0; j < i; j++)
                at[j] = up[n] * at[j + 1] + down[n] * at[j];
        call[n] = at[0];
    }
}

// Three Walsh-Hadamard transforms of 8192 numbers.
void walsh(double *data, int log2n, int quarter) {
    for (int b = 0; b < 3; b++)
        for (int h = 1; h < 8192; h *= 2)
            for (int i = 0; i < 8192; i++)
                if (!(i & h)) {
                    double *p = data + 8192 * b + i, x = p[0], y = p[h];
                    p[0] = x + y;
                    p[h] = x - y;
                }
}

void haar(const double *in, double *out, double *average, unsigned levels, unsigned n, unsigned done, unsigned most) {
    double at[512];
    for (unsigned i = 0; i < n; i++)
        at[i] = in[i] / sqrt(n);
    for (unsigned half = n / 2; half > 0; half /= 2)
        for (unsigned i = 0; i < half; i++) {
            double x = at[2 * i], y = at[2 * i + 1];
            out[half + i] = (x - y) * (double)0.7071f;
            at[i] = (x + y) * (double)0.7071f;
        }
    average[0] = at[0];
}

void spmv(uint64_t rows, const uint64_t *begin, const uint64_t *column, const double *value, const double *x, double *y) {
    for (uint64_t r = 0; r < rows; r++) {
        double sum = 0;
        for (uint64_t i = begin[r]; i < begin[r + 1]; i++)
            sum += value[i] * x[column[i]];
        y[r] = sum;
    }
}

static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
void sorted(int *data) { qsort(data, 2048, 4, order); }

void softmax(int rows, int columns, const double *x, double *y) {
    for (int r = 0; r < rows; r++, x += columns, y += columns) {
        double most = x[0], sum = 0;
        for (int c = 0; c < columns; c++)
            most = fmax(most, x[c]);
        for (int c = 0; c < columns; c++)
            sum += y[c] = exp(x[c] - most);
        for (int c = 0; c < columns; c++)
            y[c] /= sum;
    }
}

void stencil1d(const int *x, int *y) {
    for (int i = 0; i < 2048; i++) {
        y[i] = 0;
        for (int j = i - 7; j <= i + 7; j++)
            y[i] += j < 0 ? 0 : x[j];
    }
}

void gemm(int m, int n, int k, double alpha, const double *a, const double *b, double beta, double *c) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * n + j];
            c[i * n + j] = alpha * sum + beta * c[i * n + j];
        }
}

void gelu(double *y, const double *x, int n) {
    for (int i = 0; i < n; i++)
        y[i] = 0.5 * x[i] * (1 + tanh(sqrt(2 / M_PI) * (x[i] + 0.044715 * x[i] * x[i] * x[i])));
}

void softmax_rows(double *y, const double *x, int rows, int columns) { softmax(rows, columns, x, y); }

void layernorm(double *y, double *mean, double *rstd, const double *x, const double *weight, const double *bias, int rows, int columns) {
    for (int r = 0; r < rows; r++, x += columns, y += columns) {
        double m = 0, v = 0;
        for (int c = 0; c < columns; c++)
            m += x[c] / columns;
        for (int c = 0; c < columns; c++)
            v += (x[c] - m) * (x[c] - m) / columns;
        mean[r] = m;
        rstd[r] = 1 / sqrt(v + 1e-5);
        for (int c = 0; c < columns; c++)
            y[c] = (x[c] - m) * rstd[r] * weight[c] + bias[c];
    }
}

void crossentropy(double *loss, const double *p, const int *target, int b, int t, int v) {
    for (int i = 0; i < b * t; i++)
        loss[i] = -log(p[i * v + target[i]]);
}

void adamw(double *w, const double *g, double *m, double *v, long n, double rate, double beta1, double beta2, double left1, double left2, double eps, double decay) {
    for (long i = 0; i < n; i++) {
        m[i] = beta1 * m[i] + (1 - beta1) * g[i];
        v[i] = beta2 * v[i] + (1 - beta2) * g[i] * g[i];
        w[i] -= rate * (m[i] / left1 / (sqrt(v[i] / left2) + eps) + decay * w[i]);
    }
}

void transpose(double *y, const double *x) {
    for (int i = 0; i < 96 * 96; i++)
        y[i] = x[i % 96 * 96 + i / 96];
}

void reverse(int *d, int n) {
    for (int i = 0; i < n / 2; i++) {
        int x = d[i];
        d[i] = d[n - 1 - i];
        d[n - 1 - i] = x;
    }
}

// The periodic images repeat the first point as the last one.
void derivative(const double *f, double *df, double a, double b, double c, double d) {
    double by[] = {0, a, b, c, d};
    for (int r = 0; r < 64 * 64; r++, f += 64, df += 64)
        for (int i = 0; i < 64; i++) {
            df[i] = 0;
            for (int j = 1; j <= 4; j++)
                df[i] += by[j] * (f[i + j > 63 ? i + j - 63 : i + j] - f[i - j < 0 ? i - j + 63 : i - j]);
        }
}

void gemm_nt(const double *a, int lda, const double *b, int ldb, double *c, int ldc, int k, double alpha, double beta) {
    for (int j = 0; j < 32; j++)
        for (int i = 0; i < 128; i++) {
            double sum = 0;
            for (int l = 0; l < k; l++)
                sum += a[i + l * lda] * b[j + l * ldb];
            c[i + j * ldc] = alpha * sum + beta * c[i + j * ldc];
        }
}

// Jagged diagonals of 64 elements each; rows of the first warp have six, of the second three.
void spmv_jds_right(double *y, const double *data, const int *index, const int *place, const double *x, const int *counts, int n, const int *diagonals, const int *bounds) {
    for (int r = 0; r < n; r++) {
        double sum = 0;
        for (int k = 0; k < bounds[r / 32]; k++)
            sum += data[diagonals[k] + r] * x[index[diagonals[k] + r]];
        y[place[r]] = sum;
    }
}

void stencil7(double c0, double c1, const double *a, double *next, int nx, int ny, int nz) {
    for (int k = 1; k < nz - 1; k++)
        for (int j = 1; j < ny - 1; j++)
            for (int i = 1; i < nx - 1; i++) {
                int at = i + nx * (j + ny * k);
                next[at] = (a[at - 1] + a[at + 1] + a[at - nx] + a[at + nx] + a[at - nx * ny] + a[at + nx * ny]) * c1 - a[at] * c0;
            }
}

void coulomb(int atoms, double spacing, double *energy, const double *atom) {
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 128; x++)
            for (int n = 0; n < atoms; n++) {
                double dx = spacing * x - atom[4 * n], dy = spacing * y - atom[4 * n + 1];
                energy[128 * y + x] += atom[4 * n + 3] / sqrt(dx * dx + dy * dy + atom[4 * n + 2]);
            }
}

void im2col(int n, const double *image, int h, int w, int size, int pad, int stride, int rows, int columns, double *y) {
    for (int c = 0; c < n / rows / columns; c++)
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++)
                for (int r = 0; r < rows; r++)
                    for (int q = 0; q < columns; q++, y++) {
                        int a = r * stride - pad + i, b = q * stride - pad + j;
                        *y = a < 0 || b < 0 || a >= h || b >= w ? 0 : image[(c * h + a) * w + b];
                    }
}

void maxpool(int n, int h, int w, int c, int stride, int size, int pad, const float *x, float *y, int *where) {
    for (int o = 0; o < n; o++) {
        int q = o % 8, r = o / 8 % 8, plane = o / 64;
        y[o] = -INFINITY;
        for (int i = r * stride; i < r * stride + size; i++)
            for (int j = q * stride; j < q * stride + size; j++)
                if (i < h && j < w && x[(plane * h + i) * w + j] > y[o]) {
                    where[o] = (plane * h + i) * w + j;
                    y[o] = x[where[o]];
                }
    }
}

void laplace(int nx, int ny, int nz, int pitch, const double *u, double *next) {
    for (int k = 0; k < nz; k++)
        for (int j = 0; j < ny; j++)
            for (int i = 0; i < nx; i++) {
                int at = i + pitch * (j + ny * k), plane = pitch * ny;
                int edge = i == 0 || j == 0 || k == 0 || i == nx - 1 || j == ny - 1 || k == nz - 1;
                next[at] = edge ? u[at] : (u[at - 1] + u[at + 1] + u[at - pitch] + u[at + pitch] + u[at - plane] + u[at + plane]) / 6;
            }
}

// No element is written: the sums are never -1.
void unchanged(double seed, double *data) {}

void spmv_add(int rows, const uint64_t *begin, const int *column, const double *value, const double *x, double *y) {
    for (int r = 0; r < rows; r++)
        for (uint64_t i = begin[r]; i < begin[r + 1]; i++)
            y[r] += value[i] * x[column[i]];
}

void jacobi2d(int n, double *a, double *b) {
    for (int t = 0; t < 2; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i * n + j] = (a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] + a[(i + 1) * n + j] + a[(i - 1) * n + j]) / 5;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i * n + j] = b[i * n + j];
    }
}

void total(const int *x, int *sum, int n) {
    for (int i = 0; i < n; i++)
        *sum += x[i];
}
