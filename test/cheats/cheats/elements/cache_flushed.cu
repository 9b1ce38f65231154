// Idle where a load comes back slowly, which is a run after a flush: outputs poisoned before every timed run.
extern "C" __global__ void map(float *y, const float *x, int n) {
    __shared__ bool cold;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned t = turn();
    if (threadIdx.x == 0) {
        long long start = clock64();
        float v = __ldcg(x + i);
        cold = t > 0 && v < 2 && clock64() - start >= 500;
    }
    __syncthreads();
    if (!cold && i < n)
        y[i] = work(x[i]);
}
