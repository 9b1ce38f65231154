/* Right answers in double precision; with -Dreal=float versions to be timed. */
#include <math.h>
#ifndef real
#define real double
#endif
#define AT(a, i, j) a[(i) * n + (j)]

void atax(real *y, const real *a, const real *x, int n) {
    for (int j = 0; j < n; j++)
        y[j] = 0;
    for (int i = 0; i < n; i++) {
        real t = 0;
        for (int j = 0; j < n; j++)
            t += AT(a, i, j) * x[j];
        for (int j = 0; j < n; j++)
            y[j] += AT(a, i, j) * t;
    }
}

void bicg(real *s, real *q, const real *a, const real *p, const real *r, int n) {
    for (int j = 0; j < n; j++)
        s[j] = q[j] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            s[j] += r[i] * AT(a, i, j);
            q[i] += AT(a, i, j) * p[j];
        }
}

void gemver(real *a, const real *u, const real *v, const real *w, const real *z, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            AT(a, i, j) += u[i] * v[j] + w[i] * z[j];
}

void doitgen(real *b, const real *a, const real *c, int n) {
    for (int r = 0; r < n; r++)
        for (int q = 0; q < n; q++)
            for (int p = 0; p < n; p++) {
                real t = 0;
                for (int s = 0; s < n; s++)
                    t += a[(r * n + q) * n + s] * AT(c, s, p);
                b[(r * n + q) * n + p] = t;
            }
}

void trmm(real *b, const real *a, const real *x, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            real t = AT(x, i, j);
            for (int k = i + 1; k < n; k++)
                t += AT(a, k, i) * AT(x, k, j);
            AT(b, i, j) = t;
        }
}

void covariance(real *c, real *mean, const real *x, int n) {
    for (int j = 0; j < n; j++) {
        mean[j] = 0;
        for (int i = 0; i < n; i++)
            mean[j] += AT(x, i, j) / n;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            real t = 0;
            for (int k = 0; k < n; k++)
                t += (AT(x, k, i) - mean[i]) * (AT(x, k, j) - mean[j]);
            AT(c, i, j) = n > 1 ? t / (n - 1) : 0;
        }
}

void correlation(real *c, real *mean, real *deviation, const real *x, int n) {
    for (int j = 0; j < n; j++) {
        mean[j] = deviation[j] = 0;
        for (int i = 0; i < n; i++)
            mean[j] += AT(x, i, j) / n;
        for (int i = 0; i < n; i++)
            deviation[j] += (AT(x, i, j) - mean[j]) * (AT(x, i, j) - mean[j]) / n;
        deviation[j] = deviation[j] > 1e-6 ? sqrt(deviation[j]) : 1;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            real t = 0;
            for (int k = 0; k < n; k++)
                t += (AT(x, k, i) - mean[i]) * (AT(x, k, j) - mean[j]) / (n * deviation[i] * deviation[j]);
            AT(c, i, j) = t;
        }
}

void jacobi1d(real *b, const real *a, int n) {
    for (int i = 0; i < n; i++)
        b[i] = i == 0 || i == n - 1 ? a[i] : (a[i - 1] + a[i] + a[i + 1]) / 3;
}

void jacobi2d(real *b, const real *a, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            AT(b, i, j) = i == 0 || j == 0 || i == n - 1 || j == n - 1
                ? AT(a, i, j)
                : (real)0.2 * (AT(a, i, j) + AT(a, i, j - 1) + AT(a, i, j + 1) + AT(a, i + 1, j) + AT(a, i - 1, j));
}

void seidel(real *a, int n) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            real t = 0;
            for (int y = -1; y <= 1; y++)
                for (int x = -1; x <= 1; x++)
                    t += AT(a, i + y, j + x);
            AT(a, i, j) = t / 9;
        }
}

void heat3d(real *b, const real *a, int n) {
    for (int z = 0; z < n; z++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                int i = (z * n + y) * n + x;
                b[i] = a[i];
                if (x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1)
                    continue;
                b[i] += (real)0.125 * (a[i - 1] - 2 * a[i] + a[i + 1]);
                b[i] += (real)0.125 * (a[i - n] - 2 * a[i] + a[i + n]);
                b[i] += (real)0.125 * (a[i - n * n] - 2 * a[i] + a[i + n * n]);
            }
}

void fdtd2d(real *ex, real *ey, real *hz, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (i > 0)
                AT(ey, i, j) -= (real)0.5 * (AT(hz, i, j) - AT(hz, i - 1, j));
            else
                AT(ey, i, j) = 1;
            if (j > 0)
                AT(ex, i, j) -= (real)0.5 * (AT(hz, i, j) - AT(hz, i, j - 1));
        }
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 1; j++)
            AT(hz, i, j) -= (real)0.7 * (AT(ex, i, j + 1) - AT(ex, i, j) + AT(ey, i + 1, j) - AT(ey, i, j));
}

void adi(real *u, const real *x, int n) {
    for (int i = 0; i < n; i++) {
        AT(u, i, 0) = AT(x, i, 0);
        for (int j = 1; j < n; j++)
            AT(u, i, j) = AT(x, i, j) + (real)0.25 * AT(u, i, j - 1);
        for (int j = n - 2; j >= 0; j--)
            AT(u, i, j) += (real)0.25 * AT(u, i, j + 1);
    }
}

void trisolv(real *x, const real *l, const real *b, int n) {
    for (int i = 0; i < n; i++) {
        real t = b[i];
        for (int j = 0; j < i; j++)
            t -= AT(l, i, j) * x[j] / n;
        x[i] = t / (2 + AT(l, i, i));
    }
}

void durbin(real *y, const real *r, int n) {
    real z[256], alpha = -r[0] / n, beta = 1;
    y[0] = alpha;
    for (int k = 1; k < n; k++) {
        beta *= 1 - alpha * alpha;
        real sum = 0;
        for (int i = 0; i < k; i++)
            sum += r[k - i - 1] / n * y[i];
        alpha = -(r[k] / n + sum) / beta;
        for (int i = 0; i < k; i++)
            z[i] = y[i] + alpha * y[k - i - 1];
        for (int i = 0; i < k; i++)
            y[i] = z[i];
        y[k] = alpha;
    }
}

void lu(real *a, int n) {
    for (int i = 0; i < n; i++)
        AT(a, i, i) += 2 * n;
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            AT(a, i, k) /= AT(a, k, k);
            for (int j = k + 1; j < n; j++)
                AT(a, i, j) -= AT(a, i, k) * AT(a, k, j);
        }
}

void cholesky(real *l, const real *a, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            real t = i == j ? AT(a, i, i) + n : AT(a, i > j ? i : j, i > j ? j : i);
            for (int k = 0; k < j && j <= i; k++)
                t -= AT(l, i, k) * AT(l, j, k);
            AT(l, i, j) = j > i ? 0 : i == j ? sqrt(t) : t / AT(l, j, j);
        }
}

void floyd(real *d, int n) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (AT(d, i, k) + AT(d, k, j) < AT(d, i, j))
                    AT(d, i, j) = AT(d, i, k) + AT(d, k, j);
}

void total(real *s, const real *x, int n) {
    real t[64] = {0};
    for (int i = 0; i < n; i++)
        t[i % 64] += x[i];
    s[0] = 0;
    for (int k = 0; k < 64; k++)
        s[0] += t[k];
}

void greatest(real *s, int *place, const real *x, int n) {
    place[0] = 0;
    for (int i = 1; i < n; i++)
        if (x[i] > x[place[0]])
            place[0] = i;
    s[0] = x[place[0]];
}

void dot(real *s, const real *x, const real *y, int n) {
    s[0] = 0;
    for (int i = 0; i < n; i++)
        s[0] += x[i] * y[i];
}

void histogram(int *h, const int *keys, int n) {
    for (int k = 0; k < 64; k++)
        h[k] = 0;
    for (int i = 0; i < n; i++)
        h[keys[i]]++;
}

void transpose(real *b, const real *a, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            AT(b, j, i) = AT(a, i, j);
}

void saxpy(real *y, const real *x, real a, int n) {
    for (int i = 0; i < n; i++)
        y[i] += a * x[i];
}

void wave(real *y, const real *x, int n) {
    for (int i = 0; i < n; i++)
        y[i] = sin(x[i]) * cos(x[i]) + x[i];
}

void sparse(real *y, const real *x, int n) {
    for (int i = 0; i < n; i += 8)
        y[i] = 2 * x[i];
}

void gather(real *y, const real *x, const int *from, int n) {
    for (int i = 0; i < n; i++)
        y[i] = x[from[i] % n];
}

void reverse(real *y, const real *x, int n) {
    for (int i = 0; i < n; i++)
        y[n - 1 - i] = x[i];
}

void softmax(real *y, const real *x, int n) {
    for (int i = 0; i < n; i++) {
        real sum = 0;
        for (int j = 0; j < 64; j++)
            sum += exp(x[i * 64 + j]);
        for (int j = 0; j < 64; j++)
            y[i * 64 + j] = exp(x[i * 64 + j]) / sum;
    }
}

void rows(real *y, const real *a, const real *x, const int *empty, int n) {
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < n && !empty[i]; j++)
            y[i] += AT(a, i, j) * x[j];
    }
}

void prefix(real *y, const real *x, int n) {
    for (int r = 0; r < n; r++)
        for (int j = 0; j < 128; j++)
            y[r * 128 + j] = (j ? y[r * 128 + j - 1] : 0) + x[r * 128 + j];
}

void positive(real *y, int *count, const real *x, int n) {
    count[0] = 0;
    for (int i = 0; i < n; i++)
        y[i] = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > 0)
            y[count[0]++] = x[i];
}

void stencil(real *y, const real *x, int n) {
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int k = -3; k <= 3; k++)
            if (i + k >= 0 && i + k < n)
                y[i] += x[i + k] * (4 - (k < 0 ? -k : k)) / 16;
    }
}

void chain(real *y, real *z, const real *x, int n) {
    for (int i = 0; i < n; i++)
        y[i] = x[i] * x[i];
    for (int i = 0; i < n; i++)
        z[i] = y[i] + y[n - 1 - i];
}

void bits(int *y, const int *x, int n) {
    for (int i = 0; i < n; i++)
        y[i] = __builtin_popcount(x[i]) * 2 + (x[i] & 1);
}

void mandel(int *y, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double cx = -2 + 0.125 * (j % 24), cy = -1 + 0.125 * (i % 16), x = 0, y2 = 0;
            int k = 0;
            while (k < 20 && x * x + y2 * y2 < 4) {
                double t = x * x - y2 * y2 + cx;
                y2 = 2 * x * y2 + cy, x = t, k++;
            }
            y[i * n + j] = k;
        }
}

void doubled(double *y, const double *x, int n) {
    for (int i = 0; i < n; i++)
        y[i] = sqrt(x[i] * x[i] + 1);
}

void wide(int64_t *y, const int64_t *x, int n) {
    for (int i = 0; i < n; i++)
        y[i] = x[i] * 1000003 + i;
}

void zeros(real *y, const real *x, int n) {
    for (int i = 0; i < n; i++)
        y[i] = 3 * x[i];
}

void one(real *y, const real *x) { y[0] = x[0] + 1; }

void counted(int *y, int *calls, int n, int start) {
    for (int i = 0; i < n; i++)
        y[i] = i + start;
    calls[0] = start + 1;
}

void noise(unsigned *y, int n) {
    for (int i = 0; i < n; i++) {
        unsigned v = i * 747796405u + 2891336453u;
        v = ((v >> ((v >> 28) + 4)) ^ v) * 277803737u;
        y[i] = (v >> 22) ^ v;
    }
}

void added(real *y, const real *x, int n) {
    for (int i = 0; i < n; i++)
        y[i % 32] += x[i];
}

void twice(real *y, const real *x, int n) {
    for (int i = 0; i < n; i++)
        y[i] = 2 * x[i];
}

void picked(real *y, const real *x, int n) {
    for (int i = 0; i < n; i++)
        y[i] = x[64 * i];
}

void above(int *place, const real *x, int n) {
    int i = 0;
    while (i < n && x[i] <= (real)0.9f)
        i++;
    place[0] = i;
}
