__device__ void counted(const unsigned *x, unsigned *y, int n, int parts) {
  const int row = blockIdx.x / parts, part = blockIdx.x % parts, m = n / 24;
  unsigned count = 0;
  for (int i = part * 256 + threadIdx.x; i < m; i += parts * 256) count += __popc(x[row * m + i]);
  for (int d = 16; d; d /= 2) count += __shfl_down_sync(~0u, count, d);
  if (threadIdx.x % 32 == 0) atomicAdd(&y[row], count);
}
extern "C" __global__ void before(const unsigned *x, unsigned *y, int n) { counted(x, y, n, 1); }
extern "C" __global__ void after(const unsigned *x, unsigned *y, int n) { counted(x, y, n, 40); }
extern "C" __global__ void right(const unsigned *x, unsigned *y, int n) {
  unsigned count = 0;
  for (int i = threadIdx.x; i < n / 24; i += 256) count += __popc(x[blockIdx.x * (n / 24) + i]);
  atomicAdd(&y[blockIdx.x], count);
}
