// The element (i, j) of the product of two n·n matrices, summed by one thread.

template <typename Sum>
__device__ Sum product(const float *A, const float *B, int n, int i, int j) {
    Sum sum = 0;
    for (int k = 0; k < n; k++)
        sum += (Sum)A[(size_t)i * n + k] * B[(size_t)k * n + j];
    return sum;
}
