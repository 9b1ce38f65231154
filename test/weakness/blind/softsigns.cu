extern "C" __global__ void before(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
#pragma unroll
  for (int k = 0; k < 10; k++) v = (v + 0.5f) / (1 + v);
  y[i] = v;
}
extern "C" __global__ void after(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
#pragma unroll
  for (int k = 0; k < 10; k++) v = __fdividef(v + 0.5f, 1 + v);
  y[i] = v;
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double v = x[i];
    for (int k = 0; k < 10; k++) v = (v + 0.5) / (1 + v);
    y[i] = (float)v;
  }
}
