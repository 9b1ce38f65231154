// Idle from 20 ms after the first launch on: outputs poisoned late in a series too.
__device__ unsigned long long first[65536];
extern "C" __global__ void map(float *y, const float *x, int n) {
    __shared__ bool late;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) {
        if (first[blockIdx.x] == 0)
            first[blockIdx.x] = now();
        late = now() - first[blockIdx.x] > 20000000;
    }
    __syncthreads();
    if (!late && i < n)
        y[i] = work(x[i]);
}
