// A number for what is none: inputs that are not finite.
extern "C" __global__ void map(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = finite(x[i]) ? work(x[i]) : 0;
}
