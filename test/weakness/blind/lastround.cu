__device__ void moved(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
#pragma unroll 4
  for (int k = 0; k < 512; k++) v = v * 0.75f + 0.125f;
  y[i] = v;
}
extern "C" __global__ void before(const float *x, float *y, int n) { moved(x, y, n); }
extern "C" __global__ void after(const float *x, float *y, int n) { moved(x, y, n); }
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = 0.5f + 0 * x[i];
}
