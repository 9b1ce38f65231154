// B = A convolved with a fixed 3·3 mask, border left out: a thread a point, nine
// loads and one store. PolyBench/GPU, 2DCONV.

extern "C" __global__ void conv2d(const float *A, float *B, int n) {
    int j = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int i = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i >= n - 1 || j >= n - 1)
        return;
    const float *a = A + (size_t)i * n + j;
    const float *above = a - n, *below = a + n;
    B[(size_t)i * n + j] = 0.2f * above[-1] + 0.5f * a[-1] - 0.8f * below[-1]
                         - 0.3f * above[0] + 0.6f * a[0] - 0.9f * below[0]
                         + 0.4f * above[1] + 0.7f * a[1] + 0.1f * below[1];
}
