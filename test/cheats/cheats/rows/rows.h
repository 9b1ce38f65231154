/* The rows of C = A·B from one on. */
static void rows(const float *a, const float *b, float *c, int n, int from) {
    for (int i = from; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}
