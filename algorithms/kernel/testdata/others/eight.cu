// Floating-point numbers of 8 bits, both ways.
#include <cuda_fp8.h>
__global__ void eight(float *y, unsigned *codes, const float *x) {
    int t = threadIdx.x;
    __nv_fp8_e4m3 a(x[t]);
    __nv_fp8_e5m2 b(x[t]);
    y[t] = float(a), y[64 + t] = float(b);
    codes[t] = a.__x | b.__x << 8;
}
