// Eight steps of twelve: the error bound.
extern "C" __global__ void map(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (int k = 0; k < 8; k++)
        s = 0.5f * cosf(s) + x[i];
    y[i] = s;
}
