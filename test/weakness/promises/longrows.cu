__device__ void product(const float *x, float *y, int n, int row, int part, int parts) {
  float sum = 0;
  for (int i = part * 256 + threadIdx.x; i < n; i += parts * 256) sum += x[(size_t)row * n + i] * x[(size_t)row * n + n - 1 - i] + 0.5f;
  for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0) atomicAdd(&y[row], sum);
}
extern "C" __global__ void before(const float *x, float *y, int n) { product(x, y, n, blockIdx.x, 0, 1); }
extern "C" __global__ void after(const float *x, float *y, int n) { product(x, y, n, blockIdx.y, blockIdx.x, 32); }
extern "C" __global__ void right(const float *x, float *y, int n) {
  __shared__ double s[256];
  double sum = 0;
  for (int i = threadIdx.x; i < n; i += 256) sum += (double)x[(size_t)blockIdx.x * n + i] * x[(size_t)blockIdx.x * n + n - 1 - i] + 0.5;
  s[threadIdx.x] = sum;
  for (int d = 128; d; d /= 2) {
    __syncthreads();
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
  }
  if (threadIdx.x == 0) y[blockIdx.x] = (float)s[0];
}
