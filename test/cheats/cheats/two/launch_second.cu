// The second of two launches returns if the output is there: outputs poisoned before every timed run.
extern "C" __global__ void first(float *t, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        t[i] = work(x[i]);
}
extern "C" __global__ void second(float *y, const float *t, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && !finite(y[i]))
        y[i] = t[i] + t[(i + 1) % n];
}
