/* The mean of 26 neighbours: the sum of the cube less its centre. */
void stencil27(const double *A, double *B, int n) {
    long long row = n, plane = row * n;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++) {
                const double *a = A + i * plane + j * row + k;
                double cube = 0;
                for (int z = -1; z <= 1; z++)
                    for (int y = -1; y <= 1; y++)
                        cube += a[z * plane + y * row - 1] + a[z * plane + y * row] + a[z * plane + y * row + 1];
                B[i * plane + j * row + k] = (cube - a[0]) / 26;
            }
}
