template <int TERMS> __device__ float terms(float v) {
  float t[TERMS], sum = 0;
#pragma unroll
  for (int k = 0; k < TERMS; k++) t[k] = v * (0.01f * k) + 0.5f;
#pragma unroll 1
  for (int r = 0; r < 16; r++) {
#pragma unroll
    for (int k = 0; k < TERMS; k++) t[k] = t[k] * 0.75f + t[(k + 7) % TERMS] * 0.125f;
  }
#pragma unroll
  for (int k = 0; k < TERMS; k++) sum += t[k];
  return sum;
}

extern "C" __global__ void __launch_bounds__(512, 4) before(const float *x, float *y, int n) {
  const int i = blockIdx.x * 512 + threadIdx.x;
  if (i < n) y[i] = terms<44>(x[i]);
}
extern "C" __global__ void __launch_bounds__(512, 2) after(const float *x, float *y, int n) {
  const int i = blockIdx.x * 512 + threadIdx.x;
  if (i < n) y[i] = terms<44>(x[i]);
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double t[44], sum = 0;
    for (int k = 0; k < 44; k++) t[k] = (double)x[i] * (0.01 * k) + 0.5;
    for (int r = 0; r < 16; r++)
      for (int k = 0; k < 44; k++) t[k] = t[k] * 0.75 + t[(k + 7) % 44] * 0.125;
    for (int k = 0; k < 44; k++) sum += t[k];
    y[i] = (float)sum;
  }
}
