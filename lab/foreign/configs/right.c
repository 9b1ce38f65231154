// Right answers for kernels of public suites. The arguments are the kernels', by their configs.
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void product(int rows, int columns, int inner, const double *a, int a_row, int a_inner, const double *b, int b_inner, int b_column,
                    double *c, int c_row, int c_column) {
    for (int r = 0; r < rows; r++)
        for (int q = 0; q < columns; q++) {
            double sum = 0;
            for (int i = 0; i < inner; i++)
                sum += a[r * a_row + i * a_inner] * b[i * b_inner + q * b_column];
            c[r * c_row + q * c_column] = sum;
        }
}

static double dot(const double *a, const double *b, int n, int stride) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i * stride] * b[i];
    return sum;
}

void add(float *a, float *b, float *result) {
    for (int i = 0; i < 128; i++)
        result[i] = a[i] + b[i];
}

void lanes(int32_t *y, int n) {
    for (int i = 0; i < n; i++)
        y[i] = i % 32;
}

static int order(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

void sorted(uint32_t *a, uint32_t *b, int n) { qsort(a, n, sizeof *a, order); }

// Each run of 512 keys is sorted by the bits from start on, and equal ones stay in order.
void sort_blocks(uint32_t bits, uint32_t start, uint32_t *keys, uint32_t *values, const uint32_t *kin, const uint32_t *vin) {
    for (int block = 0, to = 0; block < 1024; block += 512)
        for (uint32_t digit = 0; digit < 1u << bits; digit++)
            for (int i = block; i < block + 512; i++)
                if ((kin[i] >> start) % (1u << bits) == digit) {
                    keys[to] = kin[i];
                    values[to++] = vin[i];
                }
}

// A sum of the next taps samples, as long as there are as many.
void boxcar(const double *in, double *out, int taps, int samples) {
    for (int row = 0; row < 4; row++)
        for (int i = 0; i + taps <= samples; i++)
            for (int t = 0; t < taps; t++)
                out[row * samples + i] += in[row * samples + i + t];
}

// Channel c filters every chans-th sample, beginning with the last channel.
void channelizer(int chans, int taps, int points, const double *x, const double *h, double _Complex *y) {
    for (int p = 0; p < points; p++)
        for (int c = 0; c < chans; c++) {
            double sum = 0;
            for (int t = 0; t < taps && t <= p; t++)
                sum += h[t * chans + c] * x[(p - t) * chans + chans - 1 - c];
            y[p * chans + c] = sum;
        }
}

void convolve(const int32_t *in, int n, const int32_t *kernel, int taps, int mode, uint8_t swapped, int32_t *out, int m) {
    memset(out, 0, m * sizeof *out);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < taps; j++)
            out[i + j] += in[i] * kernel[j];
}

// The filter h is given backwards.
void decimate(const double _Complex *in, const double _Complex *h, int up, int down, int axis, int n, int taps, int padded,
              double _Complex *out, int m) {
    for (int o = 0; o < m; o++) {
        out[o] = 0;
        for (int t = 0; t < taps && t <= o * down; t++)
            out[o] += in[o * down - t] * h[taps - 1 - t];
    }
}

// The first 32 by 32 of an image of 4096 by 4096, whose border of 8 is in the input.
void convolution17(double *out, const double *in, const double *filter) {
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 32; x++)
            for (int j = 0; j < 17; j++)
                out[y * 4096 + x] += dot(in + (y + j) * 4112 + x, filter + 17 * j, 17, 1);
}

void convolution7(int n, int dummy, const double *in, const double *filter, double *out) {
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            for (int j = 0; j < 7; j++)
                out[y * n + x] += dot(in + (y + j) * (n + 6) + x, filter + 7 * j, 7, 1);
}

void expdist(const double *a, const double *b, int m, int n, const double *sa, const double *sb, double *cross, double *out, int blocks) {
    *out = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double x = a[i] - b[j], y = a[m + i] - b[n + j];
            *out += exp(-(x * x + y * y) / (sa[i] + sb[j]));
        }
}

// The first 16 by 16 of a product of matrices of 4096 by 4096.
void matmul(double *c, const double *a, const double *b) { product(16, 16, 4096, a, 4096, 1, b, 4096, 1, c, 4096, 1); }

void sum_four(double *sum, const double *x, int n) {
    *sum = 0;
    for (int i = 0; i < n; i++)
        *sum += x[i];
}

void spmv(double *y, const int32_t *rows, const int32_t *columns, const double *values, const double *x, int n) {
    for (int r = 0; r < n; r++) {
        y[r] = 0;
        for (int i = rows[r]; i < rows[r + 1]; i++)
            y[r] += values[i] * x[columns[i]];
    }
}

void stencil5(double *next, const double *x) {
    for (int r = 1; r < 2047; r++)
        for (int c = 1; c < 4095; c++) {
            int i = r * 4096 + c;
            next[i] = (x[i] + x[i - 1] + x[i + 1] + x[i - 4096] + x[i + 4096]) / 5;
        }
}

void bicg(const double *a, const double *x1, double *y1, const double *x2, double *y2, int m, int n) {
    for (int i = 0; i < n; i++) {
        y1[i] = dot(a + i * n, x1, n, 1);
        y2[i] = dot(a + i, x2, n, n);
    }
}

void coulomb(const double *atoms, const double *x, const double *y, const double *z, const double *w, int n, double spacing, int size,
             double *grid) {
    for (int p = 0; p < size * size * size; p++)
        for (const double *a = atoms; a < atoms + 4 * n; a += 4) {
            double dx = spacing * (p % size) - a[0], dy = spacing * (p / size % size) - a[1], dz = spacing * (p / size / size) - a[2];
            grid[p] += a[3] / sqrt(dx * dx + dy * dy + dz * dz);
        }
}

// C and A are stored by columns.
void gemm(int m, int n, int k, const double *a, const double *b, double *c) { product(m, n, k, a, 1, m, b, n, 1, c, 1, m); }

void nbody(double dt, const double *old, const double *px, const double *py, const double *pz, const double *mass, double *new,
           const double *vel, const double *vx, const double *vy, const double *vz, double *newvel, double damping, double soft, int n) {
    for (int i = 0; i < n; i++) {
        double acc[3] = {0};
        for (const double *o = old; o < old + 4 * n; o += 4) {
            double d[3] = {o[0] - old[4 * i], o[1] - old[4 * i + 1], o[2] - old[4 * i + 2]};
            double pull = o[3] * pow(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + soft, -1.5);
            for (int c = 0; c < 3; c++)
                acc[c] += d[c] * pull;
        }
        for (int c = 0; c < 3; c++) {
            new[4 * i + c] = old[4 * i + c] + dt * vel[4 * i + c] + damping * dt * dt * acc[c];
            newvel[4 * i + c] = vel[4 * i + c] + dt * acc[c];
        }
        new[4 * i + 3] = old[4 * i + 3];
        newvel[4 * i + 3] = 0;
    }
}

void reduce(const double *in, double *out, uint32_t n, uint32_t in_offset, uint32_t out_offset) {
    for (uint32_t i = 0; i < n; i++)
        *out += in[i];
}

void transpose(double *out, const double *in, int width, int height) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            out[x * height + y] = in[y * width + x];
}

// 16 units at a time: a unit's products with its weights, of which row ty holds the sum of those below by powers of two.
void backprop(const double *input, double *hidden, double *weights, double *partial, int n, int hid) {
    for (int by = 0; by < n / 16; by++)
        for (int tx = 0; tx < hid; tx++) {
            double *w = weights + (by * 16 + 1) * (hid + 1) + 1 + tx;
            for (int ty = 0; ty < 16; ty++)
                w[ty * (hid + 1)] *= input[by * 16 + 1 + ty];
            for (int step = 1; step < 16; step *= 2)
                for (int ty = 0; ty < 16; ty += 2 * step)
                    w[ty * (hid + 1)] += w[(ty + step) * (hid + 1)];
            partial[by * hid + tx] = w[0];
        }
}

// Three levels of a search in breadth from node 0, each of whose nodes has edges of its own.
void rodinia_bfs(const int32_t *start, const int32_t *degree, const int32_t *edges, uint8_t *mask, uint8_t *updating, uint8_t *visited,
                 int32_t *cost, uint8_t *over, int n) {
    for (int level = 0; level < 3; level++) {
        memset(mask, 0, n);
        for (int v = 0; v < n; v++)
            for (int e = start[v]; cost[v] == level && e < start[v] + degree[v]; e++)
                if (!visited[edges[e]]) {
                    cost[edges[e]] = level + 1;
                    mask[edges[e]] = 1;
                }
        for (int v = 0; v < n; v++)
            if (mask[v])
                visited[v] = *over = 1;
    }
}

void lud(double *m, int n, int last) {
    for (int k = 0; k < n; k++)
        for (int r = k + 1; r < n; r++) {
            m[r * n + k] /= m[k * n + k];
            for (int c = k + 1; c < n; c++)
                m[r * n + c] -= m[r * n + k] * m[k * n + c];
        }
}

void needleman_wunsch(const int32_t *score, int32_t *m, int n, int penalty, int blocks) {
    for (int r = 1; r < n; r++)
        for (int c = 1; c < n; c++) {
            int at = r * n + c, best = m[at - n - 1] + score[at];
            if (best < m[at - 1] - penalty)
                best = m[at - 1] - penalty;
            m[at] = best < m[at - n] - penalty ? m[at - n] - penalty : best;
        }
}

void black_scholes(double *call, double *put, const double *price, const double *strike, const double *years, double r, double v, int n) {
    for (int i = 0; i < n; i++) {
        double d = (log(price[i] / strike[i]) + (r + v * v / 2) * years[i]) / (v * sqrt(years[i]));
        double paid = strike[i] * exp(-r * years[i]);
        call[i] = (price[i] * erfc(-d / M_SQRT2) - paid * erfc((v * sqrt(years[i]) - d) / M_SQRT2)) / 2;
        put[i] = call[i] + paid - price[i];
    }
}

// Of each 8 by 8, of an image with 32 rows.
void dct8x8(double *out, const double *in, int columns) {
    for (int i = 0; i < 32 * columns; i++) {
        int r = i / columns, c = i % columns, u = r % 8, v = c % 8;
        out[i] = 0;
        for (int y = 0; y < 8; y++)
            for (int x = 0; x < 8; x++)
                out[i] += in[(r - u + y) * columns + c - v + x] * cos((2 * y + 1) * u * M_PI / 16) * cos((2 * x + 1) * v * M_PI / 16);
        out[i] *= (u ? 0.5 : sqrt(0.125)) * (v ? 0.5 : sqrt(0.125));
    }
}

void matrixmul(double *c, const double *a, const double *b, int inner, int columns) {
    product(32, columns, inner, a, inner, 1, b, columns, 1, c, columns, 1);
}

void quasirandom(double *out, uint32_t seed, uint32_t n, const uint32_t *table) {
    for (uint32_t i = 0; i < 3 * n; i++) {
        uint32_t word = 0;
        for (int bit = 0; bit < 31; bit++)
            if ((seed + i % n) >> bit & 1)
                word ^= table[i / n * 31 + bit];
        out[i] = (word + 1) / 2147483649.0;
    }
}

void sum_blocks(const int32_t *in, int32_t *out3, int32_t *out4, int32_t *out5, int32_t *out6, int32_t *group, int32_t *groups, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        *out3 += in[i];
    *out4 = *out5 = *out6 = *group = *groups = *out3;
}

// Eight blocks of 128 threads, each of which takes two elements at a time; the last block adds all up.
void fence_sums(const double *in, double *out, double *one, uint32_t n) {
    double sum = 0;
    memset(out, 0, 8 * sizeof *out);
    for (uint32_t i = 0; i < n; i++)
        out[i / 256 % 8] += in[i];
    for (int b = 0; b < 8; b++)
        sum += one[b] = out[b];
    one[0] = sum;
}

// A texture's weights in a row and a column, and the four products of them, have 8 bits behind the point: each is up to 1/512 off. Elements are
// up to 1, and neighbours up to 2 apart: (2 + 2 + 4)/512 bounds the error.
void rotate(double *out, const double *image, int w, int h, double theta) {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double u = x - w / 2.0, v = y - h / 2.0;
            double s = u * cos(theta) - v * sin(theta) + w / 2.0 - 0.5, t = v * cos(theta) + u * sin(theta) + h / 2.0 - 0.5;
            int c = (int)floor(s), r = (int)floor(t);
            out[y * w + x] = 0;
            for (int i = 0; i < 4; i++)
                out[y * w + x] += (i & 1 ? s - c : 1 - s + c) * (i & 2 ? t - r : 1 - t + r) *
                    image[(r + i / 2 + h) % h * w + (c + i % 2 + w) % w];
        }
}

void scalar_products(double *c, const double *a, const double *b, int vectors, int elements) {
    for (int i = 0; i < vectors; i++)
        c[i] = dot(a + i * elements, b + i * elements, elements, 1);
}

// B is stored by columns.
void wmma(const double *a, const double *b, const double *c, double *d, int m, int n, int k, double alpha, double beta) {
    product(m, n, k, a, k, 1, b, 1, k, d, n, 1);
    for (int i = 0; i < m * n; i++)
        d[i] = alpha * d[i] + beta * c[i];
}

void votes(const uint32_t *in, uint32_t *any, uint32_t *all, uint8_t *info, int size, int warp) {
    for (int i = 0; i < size; i++) {
        any[i] = 0, all[i] = 1;
        for (int j = i / warp * warp; j < (i / warp + 1) * warp; j++)
            any[i] |= in[j] != 0, all[i] &= in[j] != 0;
    }
    for (int i = 0; i < 3 * warp; i++) {
        info[3 * i] = i >= warp;
        info[3 * i + 1] = i >= 3 * warp / 2;
        info[3 * i + 2] = i >= 2 * warp;
    }
}

void shoc_bfs(uint32_t *levels, const uint32_t *first, const uint32_t *edges, int w, int chunk, uint32_t n, int level, int32_t *flag) {
    for (uint32_t v = 0; v < n; v++)
        for (uint32_t e = first[v]; levels[v] == (uint32_t)level && e < first[v + 1]; e++)
            if (levels[edges[e]] == UINT32_MAX) {
                levels[edges[e]] = level + 1;
                *flag = 1;
            }
}

// The digest is the config's, that of the key whose digits are these.
void md5_search(uint32_t d0, uint32_t d1, uint32_t d2, uint32_t d3, int keyspace, int length, int values, int32_t *index, uint8_t *key,
                uint32_t *digest) {
    *index = 1234;
    for (int i = 0, left = *index; i < length; i++, left /= values)
        key[i] = left % values;
    digest[0] = d0, digest[1] = d1, digest[2] = d2, digest[3] = d3;
}

// 64 transforms of eight, element by element.
void fft8(double *work) {
    for (int t = 0; t < 64; t++) {
        double _Complex x[8], y;
        for (int i = 0; i < 8; i++)
            x[i] = work[2 * (64 * i + t)] + work[2 * (64 * i + t) + 1] * I;
        for (int k = 0; k < 8; k++) {
            y = 0;
            for (int i = 0; i < 8; i++)
                y += x[i] * cexp(-M_PI / 4 * k * i * I);
            work[2 * (64 * k + t)] = creal(y);
            work[2 * (64 * k + t) + 1] = cimag(y);
        }
    }
}
