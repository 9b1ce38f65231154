extern "C" __global__ void axes(const float *x, float *y, int n) {
  const int at = blockIdx.x * 128 + threadIdx.x;
  if (at >= n * n) return;
  for (int k = 0; k < n; k++) y[(size_t)at * n + k] = x[(size_t)k * n * n + at];
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  const size_t at = blockIdx.x * blockDim.x + threadIdx.x, k = at % n, rest = at / n;
  if (rest < (size_t)n * n) y[at] = x[k * n * n + rest];
}
