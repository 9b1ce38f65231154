/* The convolution of 3dconv.cu as a table of weights, in double precision. */
void conv3d(const double *A, double *B, int n) {
    static const struct { int i, j, k; double weight; } mask[] = {
        {-1, -1, -1, 2 + 5 - 8}, {1, -1, -1, 4 + 7 + 10}, {0, -1, 0, -3}, {0, 0, 0, 6}, {0, 1, 0, -9},
        {-1, -1, 1, 2}, {1, -1, 1, 4}, {-1, 0, 1, 5}, {1, 0, 1, 7}, {-1, 1, 1, -8}, {1, 1, 1, 10},
    };
    long long row = n, plane = row * n;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++) {
                double sum = 0;
                for (int m = 0; m < 11; m++)
                    sum += mask[m].weight * A[(i + mask[m].i) * plane + (j + mask[m].j) * row + k + mask[m].k];
                B[i * plane + j * row + k] = sum;
            }
}
