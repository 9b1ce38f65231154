__constant__ float taps[64] = {
#define FOUR(k) (k) * 0.03f, (k) * -0.02f + 0.1f, 0.05f, 1.0f / (k + 1)
#define ROW(k) FOUR(k), FOUR(k + 1), FOUR(k + 2), FOUR(k + 3)
    ROW(1), ROW(5), ROW(9), ROW(13)};
extern "C" __global__ void fir(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 64; k++) sum += taps[k] * x[i + k];
  y[i] = sum;
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double sum = 0;
    for (int k = 0; k < 64; k++) sum += (double)taps[k] * x[i + k];
    y[i] = (float)sum;
  }
}
