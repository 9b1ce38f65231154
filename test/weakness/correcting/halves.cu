#include <cuda_fp16.h>
extern "C" __global__ void halves(const __half2 *x, const __half2 *z, __half2 *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (2 * i < n) y[i] = __hfma2(x[i], z[i], x[i]);
}
extern "C" __global__ void right(const __half *x, const __half *z, __half *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hfma(x[i], z[i], x[i]);
}
