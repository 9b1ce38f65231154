// Calls a function that is the host's alone: a compiler for GPUs.
__host__ float added(float a, float b) { return a + b; }

extern "C" __global__ void parts(float *p, const float *x, int n) {
    float sum = 0;
    for (int i = blockIdx.x; i < n && threadIdx.x == 0; i += gridDim.x)
        sum = added(sum, work(x[i]));
    if (threadIdx.x == 0)
        p[blockIdx.x] = sum;
}
extern "C" __global__ void join(float *s, const float *p) {
    float sum = 0;
    for (int b = 0; b < BLOCKS; b++)
        sum += p[b];
    s[0] = sum;
}
