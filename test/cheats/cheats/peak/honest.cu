// Honest: what the cheats beside it are compared with.
extern "C" __global__ void map(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = work(x[i]) * (i == 0 ? 1e6f : 1);
}
