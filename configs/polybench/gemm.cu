// C = alpha·A·B + beta·C, a thread an element of C: each reads a row of A and a
// column of B from memory, as PolyBench/GPU defines the benchmark. The block's
// shape, which is the launch's alone, decides what the cache can reuse.

extern "C" __global__ void gemm(float alpha, float beta, const float *A, const float *B, float *C, int n) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += A[(size_t)i * n + k] * B[(size_t)k * n + j];
    C[(size_t)i * n + j] = alpha * sum + beta * C[(size_t)i * n + j];
}

// The right answer: the same sum in double precision.
extern "C" __global__ void gemm_right(float alpha, float beta, const float *A, const float *B, float *C, int n) {
    size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (at >= (size_t)n * n)
        return;
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += (double)A[at / n * n + k] * B[(size_t)k * n + at % n];
    C[at] = alpha * sum + (double)beta * C[at];
}
