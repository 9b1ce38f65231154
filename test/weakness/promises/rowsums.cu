extern "C" __global__ void before(const float *x, float *y, int n) {
  const int r = blockIdx.x * 128 + threadIdx.x;
  if (r >= n) return;
  float sum = 0;
  for (int c = 0; c < 256; c++) sum += x[(size_t)r * 256 + c];
  y[r] = sum;
}
extern "C" __global__ void after(const float *x, float *y, int n) {
  const int r = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (r >= n) return;
  float sum = 0;
  for (int c = lane; c < 256; c += 32) sum += x[(size_t)r * 256 + c];
  for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
  if (lane == 0) y[r] = sum;
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double sum = 0;
    for (int c = 0; c < 256; c++) sum += x[(size_t)i * 256 + c];
    y[i] = (float)sum;
  }
}
