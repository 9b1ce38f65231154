// Idle on odd multiprocessors but in the first launch: outputs poisoned before every timed run.
extern "C" __global__ void map(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool idle = turn() > 0 && multiprocessor() % 2;
    if (!idle && i < n)
        y[i] = work(x[i]);
}
