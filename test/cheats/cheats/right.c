/* Right answers in double precision, of the problems of this folder. */
#include <math.h>

static double work(double x) {
    double s = x;
    for (int k = 0; k < 12; k++)
        s = 0.5 * cos(s) + x;
    return s;
}

void elements(double *y, const double *x, int n) {
    for (int i = 0; i < n; i++)
        y[i] = work(x[i]);
}

void update(double *y, const double *x, int n) {
    for (int i = 0; i < n; i++)
        y[i] += work(x[i]);
}

void masked(double *y, const double *x, const double *mask, int n) {
    for (int i = 0; i < n; i++)
        y[i] = mask[i] != 0 ? work(x[i]) : x[i];
}

void peak(double *y, const double *x, int n) {
    for (int i = 0; i < n; i++)
        y[i] = work(x[i]) * (i == 0 ? 1e6 : 1);
}

void total(double *s, const double *x, int n) {
    s[0] = 0;
    for (int i = 0; i < n; i++)
        s[0] += work(x[i]);
}

void power(double *s, const double *x, int n) {
    s[0] = 0;
    for (int i = 0; i < n; i++)
        s[0] += x[i] * x[i] / n;
}

void product(double *c, const double *a, const double *b, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i * n + j] = 0;
            for (int k = 0; k < n; k++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
        }
}

void rows(const double *a, const double *b, double *c, int n) {
    product(c, a, b, n);
}

void bins(int *h, const int *keys, int n) {
    for (int k = 0; k < 256; k++)
        h[k] = 0;
    for (int i = 0; i < n; i++)
        h[keys[i]]++;
}

void filter(double *y, const double *x, const double *w, int n) {
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int k = 0; k < 16; k++)
            y[i] += w[k] * x[i + k];
    }
}

void two(double *y, const double *x, int n) {
    for (int i = 0; i < n; i++)
        y[i] = work(x[i]) + work(x[(i + 1) % n]);
}

void order(int *r, const double *x, int n) {
    for (int i = 0; i < n; i++) {
        r[i] = 0;
        for (int k = 0; k < n; k++)
            r[i] += x[k] < x[i] || (x[k] == x[i] && k < i);
    }
}

void twice(double *y, const double *x, int n) {
    for (int i = 0; i < n; i++)
        y[i] = 2 * x[i];
}

void nothing(double *y, int n) {
    for (int i = 0; i < n; i++)
        y[i] = work((i * 2654435761u >> 8) / 8388608.0 - 1);
}
