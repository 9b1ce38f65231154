extern "C" __global__ void before(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
#pragma unroll
  for (int k = 1; k < 24; k++) v = 1 + x[i] / (v + k);
  y[i] = v;
}
extern "C" __global__ void after(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
#pragma unroll
  for (int k = 1; k < 24; k++) v = 1 + __fdividef(x[i], v + k);
  y[i] = v;
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double v = x[i];
    for (int k = 1; k < 24; k++) v = 1 + x[i] / (v + k);
    y[i] = (float)v;
  }
}
