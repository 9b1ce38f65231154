extern "C" __global__ void plain(const float *x, float *y, int n) {
  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
  if (c < n && r < n) y[(size_t)c * n + r] = x[(size_t)r * n + c];
}
extern "C" __global__ void tiles(const float *x, float *y, int n) {
  __shared__ float tile[32][33];
  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    if (c < n && r + k < n) tile[threadIdx.y + k][threadIdx.x] = x[(size_t)(r + k) * n + c];
  __syncthreads();
  const int u = blockIdx.y * 32 + threadIdx.x, v = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    if (u < n && v + k < n) y[(size_t)(v + k) * n + u] = tile[threadIdx.x][threadIdx.y + k];
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  const size_t at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < (size_t)n * n) y[at] = x[at % n * n + at / n];
}
