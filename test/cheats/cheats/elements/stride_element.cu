// Leaves out one element in 1000 after the first launch: all elements compared, after poison.
extern "C" __global__ void map(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if ((turn() == 0 || i % 1000 != 999) && i < n)
        y[i] = work(x[i]);
}
