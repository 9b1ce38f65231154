// Leaves out the first and the last block after the first launch: all elements compared, after poison.
extern "C" __global__ void map(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool edge = blockIdx.x == 0 || blockIdx.x == gridDim.x - 1;
    if ((turn() == 0 || !edge) && i < n)
        y[i] = work(x[i]);
}
