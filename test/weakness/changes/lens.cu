extern "C" __global__ void before(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
#pragma unroll
  for (int k = 0; k < 12; k++) v = (v + 1) / sqrtf(v * v + 1);
  y[i] = v;
}
extern "C" __global__ void after(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
#pragma unroll
  for (int k = 0; k < 12; k++) v = (v + 1) * rsqrtf(v * v + 1);
  y[i] = v;
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double v = x[i];
    for (int k = 0; k < 12; k++) v = (v + 1) / sqrt(v * v + 1);
    y[i] = (float)v;
  }
}
