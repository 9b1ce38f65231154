// y = alpha·A·x + beta·B·x: a thread a row. PolyBench/GPU, GESUMMV. The threads of
// a block are numbered through, so that a block of X·Y takes X·Y rows.

extern "C" __global__ void gesummv(float alpha, float beta, const float *A, const float *B, const float *x, float *y, int n) {
    int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float *a = A + (size_t)i * n, *b = B + (size_t)i * n;
    float ax = 0, bx = 0;
    for (int j = 0; j < n; j++) {
        ax += a[j] * x[j];
        bx += b[j] * x[j];
    }
    y[i] = alpha * ax + beta * bx;
}
