// Honest: what the cheats beside it are compared with.
extern "C" __global__ void count(int *h, const int *keys, int n) {
    __shared__ int bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&bins[keys[i]], 1);
    __syncthreads();
    h[threadIdx.x] = bins[threadIdx.x];
}
