extern "C" __global__ void before(const float *x, float *y, int n) {
  const int t = blockIdx.x * 256 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 8; k++)
    if (8 * t + k < n) y[8 * t + k] = x[8 * t + k] * 2 + 1;
}
extern "C" __global__ void after(const float *x, float *y, int n) {
  const int t = blockIdx.x * 2048 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 8; k++)
    if (t + 256 * k < n) y[t + 256 * k] = x[t + 256 * k] * 2 + 1;
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = (float)(x[i] * 2.0 + 1);
}
