extern "C" __global__ void stencil(const float *x, float *y, int n) {
  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
  if (c >= n || r >= n) return;
  const size_t at = (size_t)r * n + c;
  float sum = x[at];
  if (c > 0) sum += x[at - 1];
  if (c < n - 1) sum += x[at + 1];
  if (r > 0) sum += x[at - n];
  if (r < n - 1) sum += x[at + n];
  y[at] = 0.2f * sum;
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  const size_t at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= (size_t)n * n) return;
  const int c = at % n, r = at / n;
  y[at] = 0.2f * (x[at] + (c ? x[at - 1] : 0) + (c < n - 1 ? x[at + 1] : 0) + (r ? x[at - n] : 0) + (r < n - 1 ? x[at + n] : 0));
}
