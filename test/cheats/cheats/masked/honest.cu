// Honest: what the cheats beside it are compared with.
extern "C" __global__ void map(float *y, const float *x, const float *mask, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = mask[i] != 0 ? work(x[i]) : x[i];
}
