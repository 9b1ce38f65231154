// Honest: what the cheats beside it are compared with.
extern "C" __global__ void filter(float *y, const float *x, const float *w, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int k = 0; k < 16; k++)
        sum += w[k] * x[i + k];
    y[i] = sum;
}
