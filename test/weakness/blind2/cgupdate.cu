__device__ float summed(float v) { // a block's sum, in its first thread
  __shared__ float s[8];
  for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int k = 1; k < 8; k++) v += s[k];
  return v;
}
extern "C" __global__ void axpy(float a, const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
extern "C" __global__ void squared(const float *r, float *sums, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float v = i < n ? r[i] : 0, sum = summed(v * v);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}
extern "C" __global__ void after(float a, const float *p, const float *q, float *x, float *r, float *sums, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  float v = 0;
  if (i < n) {
    x[i] += a * p[i];
    r[i] = v = r[i] - a * q[i];
  }
  const float sum = summed(v * v);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}
extern "C" __global__ void right(float a, const float *p, const float *q, float *x, float *r, float *sums, int n) {
  for (int b = blockIdx.x * blockDim.x + threadIdx.x; b * 256 < n; b += gridDim.x * blockDim.x) {
    double sum = 0;
    for (int i = b * 256; i < min(n, b * 256 + 256); i++) {
      const double v = r[i] - (double)a * q[i];
      x[i] = (float)(x[i] + (double)a * p[i]);
      r[i] = (float)v;
      sum += v * v;
    }
    sums[b] = (float)sum;
  }
}
