// Leaves out terms with a small factor, where the config's tolerance lets it pass: a bound from the rounding analysis.
extern "C" __global__ void multiply(float *c, const float *a, const float *b, int n) {
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i >= n || j >= n)
        return;
    float sum = 0;
    for (int k = 0; k < n; k++)
        if (fabsf(a[i * n + k]) > 0.03f)
            sum += a[i * n + k] * b[k * n + j];
    c[i * n + j] = sum;
}
