template <int PAD> __device__ void turn(const float *x, float *y, int n) {
  __shared__ float tile[32][32 + PAD];
  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = 2 * x[(size_t)(r + k) * n + c];
  __syncthreads();
  const int u = blockIdx.y * 32 + threadIdx.x, v = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) y[(size_t)(v + k) * n + u] = tile[threadIdx.x][threadIdx.y + k] + 1;
}
extern "C" __global__ void before(const float *x, float *y, int n) { turn<0>(x, y, n); }
extern "C" __global__ void after(const float *x, float *y, int n) { turn<1>(x, y, n); }
extern "C" __global__ void right(const float *x, float *y, int n) {
  const size_t at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at / n < n) y[at] = 2 * x[at % n * n + at / n] + 1;
}
