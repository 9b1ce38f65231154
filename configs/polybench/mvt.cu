// x1 = x1 + A·y1 and x2 = x2 + A'·y2, a kernel each, a thread a row or a column.
// PolyBench/GPU, MVT. The threads of a block are numbered through, so that a block
// of X·Y takes X·Y rows.

__device__ int number() {
    return (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

extern "C" __global__ void rows(const float *A, const float *y, float *x, int n) {
    int i = number();
    if (i >= n)
        return;
    float sum = 0;
    for (int j = 0; j < n; j++)
        sum += A[(size_t)i * n + j] * y[j];
    x[i] += sum;
}

extern "C" __global__ void columns(const float *A, const float *y, float *x, int n) {
    int i = number();
    if (i >= n)
        return;
    float sum = 0;
    for (int j = 0; j < n; j++)
        sum += A[(size_t)j * n + i] * y[j];
    x[i] += sum;
}
