extern "C" __global__ void before(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  if (v > 0) {
#pragma unroll 1
    for (int k = 0; k < 64; k++) v = v * 0.5f + 0.25f;
  } else {
#pragma unroll 1
    for (int k = 0; k < 64; k++) v = v * 0.75f - 0.125f;
  }
  y[i] = v;
}
extern "C" __global__ void after(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  const float a = v > 0 ? 0.5f : 0.75f, b = v > 0 ? 0.25f : -0.125f;
#pragma unroll 1
  for (int k = 0; k < 64; k++) v = v * a + b;
  y[i] = v;
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const double a = x[i] > 0 ? 0.5 : 0.75, b = x[i] > 0 ? 0.25 : -0.125;
    double v = x[i];
    for (int k = 0; k < 64; k++) v = v * a + b;
    y[i] = (float)v;
  }
}
