__device__ __forceinline__ void sums(const float *x, const float *w, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  y[i] = 0;
#pragma unroll
  for (int k = 0; k < 32; k++) y[i] += w[k] * x[i];
}
extern "C" __global__ void before(const float *x, const float *w, float *y, int n) { sums(x, w, y, n); }
extern "C" __global__ void after(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 32; k++) sum += w[k] * x[i];
  y[i] = sum;
}
extern "C" __global__ void right(const float *x, const float *w, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double sum = 0;
    for (int k = 0; k < 32; k++) sum += (double)w[k] * x[i];
    y[i] = (float)sum;
  }
}
