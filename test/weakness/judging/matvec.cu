extern "C" __global__ void matvec(const float *a, const float *x, float *y, int n) {
  const int r = blockIdx.x * 8 + threadIdx.y;
  if (r >= n) return;
  float sum = 0;
  for (int c = threadIdx.x; c < n; c += 32) sum += a[(size_t)r * n + c] * x[c];
  for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x == 0) y[r] = sum;
}
extern "C" __global__ void right(const float *a, const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { float sum = 0; for (int c = 0; c < n; c++) sum += a[(size_t)i * n + c] * x[c]; y[i] = sum; }
}
