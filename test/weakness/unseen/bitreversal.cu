extern "C" __global__ void bitreversal(const float2 *x, float2 *y, int n) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[__brev(i) >> __clz(n) + 1] = x[i];
}
extern "C" __global__ void right(const float2 *x, float2 *y, int n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned r = 0;
    for (unsigned k = i, m = 1; m < n; m *= 2, k /= 2) r = 2 * r + k % 2;
    y[r] = x[i];
  }
}
