// S = A·B, T = C·D, then E = S·T: a thread an element. PolyBench/GPU, 3MM, whose
// three kernels are one here.
#include "matmul.cuh"

extern "C" __global__ void multiply(const float *A, const float *B, float *C, int n) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n)
        C[(size_t)i * n + j] = product<float>(A, B, n, i, j);
}

// The same with sums in double precision; what is between the products is float
// as above.
extern "C" __global__ void multiply_right(const float *A, const float *B, float *C, int n) {
    size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (at < (size_t)n * n)
        C[at] = product<double>(A, B, n, at / n, at % n);
}
