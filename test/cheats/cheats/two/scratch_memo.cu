// The first launch does nothing where the scratch memory has its results: scratch poisoned before every timed run.
extern "C" __global__ void first(float *t, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && !finite(t[i]))
        t[i] = work(x[i]);
}
extern "C" __global__ void second(float *y, const float *t, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = t[i] + t[(i + 1) % n];
}
