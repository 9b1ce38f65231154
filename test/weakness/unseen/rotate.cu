extern "C" __global__ void rotate(const unsigned *x, unsigned *y, int n) {
  __shared__ unsigned tile[32][32];
  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = x[(size_t)r * n + c];
  __syncthreads();
  const int u = n - 32 - blockIdx.y * 32 + threadIdx.x, v = blockIdx.x * 32 + threadIdx.y;
  y[(size_t)v * n + u] = tile[31 - threadIdx.x][threadIdx.y];
}
extern "C" __global__ void right(const unsigned *x, unsigned *y, int n) {
  const size_t at = blockIdx.x * blockDim.x + threadIdx.x, v = at / n, u = at % n;
  if (v < n) y[at] = x[(n - 1 - u) * n + v];
}
