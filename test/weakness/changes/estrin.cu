extern "C" __global__ void before(const float *x, float *y, int n) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  float sum = 0;
#pragma unroll 16
  for (int k = 0; k < 256; k++) sum = sum * v + 0.25f;
  y[i] = sum;
}
extern "C" __global__ void after(const float *x, float *y, int n) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  const float v = x[i], w = v * v * v * v;
  float a = 0, b = 0, c = 0, d = 0;
#pragma unroll 4
  for (int k = 0; k < 256; k += 4) {
    a = a * w + 0.25f;
    b = b * w + 0.25f;
    c = c * w + 0.25f;
    d = d * w + 0.25f;
  }
  y[i] = ((a * v + b) * v + c) * v + d;
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double sum = 0;
    for (int k = 0; k < 256; k++) sum = sum * x[i] + 0.25;
    y[i] = (float)sum;
  }
}
