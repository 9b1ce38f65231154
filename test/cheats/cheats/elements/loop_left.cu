// The number of elements of a thread comes from memory where the last launch left 0: outputs poisoned.
__device__ int rest[65536], ready[65536];
extern "C" __global__ void map(float *y, const float *x, int n) {
    __shared__ int count;
    if (threadIdx.x == 0) {
        if (!ready[blockIdx.x])
            rest[blockIdx.x] = blockDim.x, ready[blockIdx.x] = 1;
        count = rest[blockIdx.x];
        rest[blockIdx.x] = 0;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < count && blockIdx.x * blockDim.x + k < n; k += blockDim.x)
        y[blockIdx.x * blockDim.x + k] = work(x[blockIdx.x * blockDim.x + k]);
}
