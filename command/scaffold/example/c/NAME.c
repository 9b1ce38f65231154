/* y = A·x for an m × n matrix that lies row after row. */

/* The right answer, in double precision. */
void product_right(const double *a, const double *x, double *y, int m, int n) {
    for (int row = 0; row < m; row++) {
        y[row] = 0;
        for (int column = 0; column < n; column++)
            y[row] += a[(long)row * n + column] * x[column];
    }
}

/* The version "rows": one sum after the other, along the matrix in memory. */
void by_rows(const float *a, const float *x, float *y, int m, int n) {
    for (int row = 0; row < m; row++) {
        float sum = 0;
        for (int column = 0; column < n; column++)
            sum += a[(long)row * n + column] * x[column];
        y[row] = sum;
    }
}

/* The version "columns": all sums at once, across the rows. */
void by_columns(const float *a, const float *x, float *y, int m, int n) {
    for (int row = 0; row < m; row++)
        y[row] = 0;
    for (int column = 0; column < n; column++)
        for (int row = 0; row < m; row++)
            y[row] += a[(long)row * n + column] * x[column];
}
