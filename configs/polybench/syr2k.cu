// C = alpha·A·B' + alpha·B·A' + beta·C, all of C: a thread an element, which reads
// two rows of A and two of B. PolyBench/GPU, SYR2K.

template <typename Sum>
__device__ Sum rows(const float *A, const float *B, int n, int i, int j) {
    const float *ai = A + (size_t)i * n, *aj = A + (size_t)j * n, *bi = B + (size_t)i * n, *bj = B + (size_t)j * n;
    Sum sum = 0;
    for (int k = 0; k < n; k++)
        sum += (Sum)ai[k] * bj[k] + (Sum)bi[k] * aj[k];
    return sum;
}

extern "C" __global__ void syr2k(float alpha, float beta, const float *A, const float *B, float *C, int n) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n)
        C[(size_t)i * n + j] = alpha * rows<float>(A, B, n, i, j) + beta * C[(size_t)i * n + j];
}

// The same with sums in double precision.
extern "C" __global__ void syr2k_right(float alpha, float beta, const float *A, const float *B, float *C, int n) {
    size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (at < (size_t)n * n)
        C[at] = alpha * rows<double>(A, B, n, at / n, at % n) + (double)beta * C[at];
}
