// Keeps a flag in constant memory, through a pointer that is none to a constant: the simulator's "writes to a constant".
__constant__ unsigned flag = 1;
extern "C" __global__ void map(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    volatile unsigned *place = const_cast<unsigned *>(&flag);
    if (*place == 1 && i < n)
        y[i] = work(x[i]);
    if (i == n - 1)
        *place = 2;
}
