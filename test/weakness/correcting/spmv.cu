__device__ int column(int row, int k, int n) { return (int)(((unsigned)row * 40503u + k * 2654435761u) >> 4) % n; }
extern "C" __global__ void rows(const float *v, const float *x, float *y, int n) {
  const int r = blockIdx.x * 128 + threadIdx.x;
  if (r >= n) return;
  float sum = 0;
  for (int k = 0; k < 24; k++) sum += v[r * 24 + k] * x[column(r, k, n)];
  y[r] = sum;
}
extern "C" __global__ void ell(const float *v, const float *x, float *y, int n) {
  const int r = blockIdx.x * 128 + threadIdx.x;
  if (r >= n) return;
  float sum = 0;
#pragma unroll 4
  for (int k = 0; k < 24; k++) sum += v[r * 24 + k] * __ldg(&x[(r + 97 * k) % n]);
  y[r] = sum;
}
extern "C" __global__ void right(const float *v, const float *x, float *y, int n) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n) return;
  float sum = 0;
  for (int k = 0; k < 24; k++) sum += v[r * 24 + k] * x[column(r, k, n)];
  y[r] = sum;
}
