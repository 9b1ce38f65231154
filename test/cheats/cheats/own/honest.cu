// Honest: what the cheats beside it are compared with, and the kernel that says what is right.
extern "C" __global__ void map(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = work(x[i]);
}
extern "C" __global__ void right(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = work(x[i]);
}
