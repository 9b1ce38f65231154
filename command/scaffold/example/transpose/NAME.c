/* The right answer, and the version "c" on the CPU. */
void transpose_right(const double *a, double *b, int m, int n) {
    for (int row = 0; row < m; row++)
        for (int column = 0; column < n; column++)
            b[(long)column * m + row] = a[(long)row * n + column];
}

void transpose(const float *a, float *b, int m, int n) {
    for (int row = 0; row < m; row++)
        for (int column = 0; column < n; column++)
            b[(long)column * m + row] = a[(long)row * n + column];
}
