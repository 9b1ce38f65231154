// C = alpha·A·B + beta·C: a thread an element of C, which reads a row of A and a
// column of B. PolyBench/GPU, GEMM. The block's shape, which is the launch's alone,
// decides what caches can reuse.
#include "matmul.cuh"

extern "C" __global__ void gemm(float alpha, float beta, const float *A, const float *B, float *C, int n) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n)
        C[(size_t)i * n + j] = alpha * product<float>(A, B, n, i, j) + beta * C[(size_t)i * n + j];
}

// The same with sums in double precision.
extern "C" __global__ void gemm_right(float alpha, float beta, const float *A, const float *B, float *C, int n) {
    size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (at < (size_t)n * n)
        C[at] = alpha * product<double>(A, B, n, at / n, at % n) + (double)beta * C[at];
}
