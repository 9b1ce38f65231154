// C = alpha·A·A' + beta·C, all of C: a thread an element, which reads two rows of A.
// PolyBench/GPU, SYRK.

template <typename Sum>
__device__ Sum rows(const float *A, int n, int i, int j) {
    Sum sum = 0;
    for (int k = 0; k < n; k++)
        sum += (Sum)A[(size_t)i * n + k] * A[(size_t)j * n + k];
    return sum;
}

extern "C" __global__ void syrk(float alpha, float beta, const float *A, float *C, int n) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n)
        C[(size_t)i * n + j] = alpha * rows<float>(A, n, i, j) + beta * C[(size_t)i * n + j];
}

// The same with sums in double precision.
extern "C" __global__ void syrk_right(float alpha, float beta, const float *A, float *C, int n) {
    size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (at < (size_t)n * n)
        C[at] = alpha * rows<double>(A, n, at / n, at % n) + (double)beta * C[at];
}
