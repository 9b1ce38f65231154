extern "C" __global__ void columnsums(const float *x, float *y, int n) {
  const int c = blockIdx.x * 256 + threadIdx.x, first = blockIdx.y * 64;
  if (c >= n) return;
  float sum = 0;
  for (int r = first; r < min(n, first + 64); r++) sum += x[(size_t)r * n + c];
  atomicAdd(&y[c], sum);
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= n) return;
  double sum = 0;
  for (int r = 0; r < n; r++) sum += x[(size_t)r * n + c];
  y[c] = (float)sum;
}
