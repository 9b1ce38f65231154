// Computes in half precision: the error bound.
#include <cuda_fp16.h>
extern "C" __global__ void map(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    __half s = __float2half(x[i]);
    for (int k = 0; k < 12; k++)
        s = __float2half(0.5f * cosf(__half2float(s)) + x[i]);
    y[i] = __half2float(s);
}
