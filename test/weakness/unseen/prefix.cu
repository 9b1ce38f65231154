__device__ unsigned scan(unsigned v) {
  __shared__ unsigned warps[32];
  const int lane = threadIdx.x % 32, w = threadIdx.x / 32;
  for (int d = 1; d < 32; d *= 2) {
    const unsigned u = __shfl_up_sync(~0u, v, d);
    if (lane >= d) v += u;
  }
  if (lane == 31) warps[w] = v;
  __syncthreads();
  if (w == 0) {
    unsigned s = warps[lane];
    for (int d = 1; d < 32; d *= 2) {
      const unsigned u = __shfl_up_sync(~0u, s, d);
      if (lane >= d) s += u;
    }
    warps[lane] = s;
  }
  __syncthreads();
  return w ? v + warps[w - 1] : v;
}
extern "C" __global__ void blocks(const unsigned *x, unsigned *s, unsigned *y, int n) {
  const int i = blockIdx.x * 1024 + threadIdx.x;
  const unsigned v = scan(i < n ? x[i] : 0);
  if (i < n) y[i] = v;
  if (threadIdx.x == 1023) s[blockIdx.x] = v;
}
extern "C" __global__ void sums(unsigned *s, int n) {
  const int m = (n + 1023) / 1024, i = threadIdx.x;
  const unsigned v = scan(i < m ? s[i] : 0);
  if (i < m) s[i] = v;
}
extern "C" __global__ void add(const unsigned *s, unsigned *y, int n) {
  const int i = blockIdx.x * 1024 + threadIdx.x;
  if (blockIdx.x && i < n) y[i] += s[blockIdx.x - 1];
}
extern "C" __global__ void right(const unsigned *x, unsigned *y, int n) {
  unsigned sum = 0;
  for (int i = 0; i < n; i++) y[i] = sum += x[i];
}
