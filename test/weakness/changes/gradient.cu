extern "C" __global__ void before(const float *x, float *y, int n) {
  const int c = blockIdx.x * 8 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y, p = n + 1;
  const float v = x[(size_t)r * p + c];
  y[(size_t)r * n + c] = fabsf(x[(size_t)r * p + c + 1] - v) + fabsf(x[(size_t)(r + 1) * p + c] - v);
}
extern "C" __global__ void after(const float *x, float *y, int n) {
  const int c = blockIdx.x * 32 + threadIdx.x, p = n + 1;
#pragma unroll
  for (int k = 0; k < 8; k++) {
    const int r = blockIdx.y * 64 + k * 8 + threadIdx.y;
    const float v = x[(size_t)r * p + c];
    y[(size_t)r * n + c] = fabsf(x[(size_t)r * p + c + 1] - v) + fabsf(x[(size_t)(r + 1) * p + c] - v);
  }
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  const int p = n + 1;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n * n; i += gridDim.x * blockDim.x) {
    const size_t at = (size_t)(i / n) * p + i % n;
    y[i] = (float)(fabs((double)x[at + 1] - x[at]) + fabs((double)x[at + p] - x[at]));
  }
}
