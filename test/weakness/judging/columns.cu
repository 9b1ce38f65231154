extern "C" __global__ void columns(const float *x, float *y, int n, int rows) {
  const int c = blockIdx.x * 64 + threadIdx.x;
  if (c >= n) return;
  float sum = 0;
  for (int r = 0; r < rows; r++) y[(size_t)r * n + c] = sum += x[(size_t)r * n + c];
}
extern "C" __global__ void right(const float *x, float *y, int n, int rows) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { float sum = 0; for (int r = 0; r < rows; r++) { sum += x[(size_t)r * n + i]; y[(size_t)r * n + i] = sum; } }
}
