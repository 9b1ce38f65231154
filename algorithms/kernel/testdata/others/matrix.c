static double product(const double *a, const double *b, int k, int row, int column) {
    double sum = 0;
    for (int i = 0; i < k; i++) sum += a[row * k + i] * b[column * k + i];
    return sum;
}

void right(double *d, const double *a, const double *b, double *e, const double *x, const double *y, double *f, const double *v, const double *w,
           int32_t *g, const int8_t *m, const int8_t *n, double *d2, double *e2, double *f2, int32_t *g2, const double *b2, const double *y2, const double *w2, const int8_t *m2, const int8_t *n2) {
    for (int row = 0; row < 16; row++)
        for (int column = 0; column < 8; column++) {
            int i = row * 8 + column;
            d[i] = product(a, b, 16, row, column);
            e[i] = 1 + product(x, y, 16, row, column);
            f[i] = product(v, w, 8, row, column);
            g[i] = 0;
            for (int k = 0; k < 32; k++) g[i] += m[row * 32 + k] * n[column * 32 + k];
        }
    for (int row = 0; row < 16; row++)
        for (int column = 0; column < 16; column++) {
            int i = row * 16 + column, t = column * 16 + row;
            d2[i] = 2 * product(a, b2, 16, row, column);
            e2[t] = d2[i], f2[i] = g2[i] = 0;
            for (int k = 0; k < 16; k++) e2[t] += x[row * 16 + k] * y2[k * 16 + column], g2[i] += m2[row * 16 + k] * n2[k * 16 + column];
            for (int k = 0; k < 8; k++) f2[i] += v[row * 8 + k] * w2[k * 16 + column];
        }
}
