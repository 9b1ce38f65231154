extern "C" __global__ void bitonic(const int *x, int *y, int n) {
  __shared__ int s[1024];
  const int t = threadIdx.x;
  const size_t base = blockIdx.x * 1024ul;
  s[t] = x[base + t], s[t + 512] = x[base + t + 512];
  for (int size = 2; size <= 1024; size *= 2)
    for (int d = size / 2; d; d /= 2) {
      __syncthreads();
      const int p = 2 * t - (t & (d - 1)), up = !(p & size), u = s[p], v = s[p + d];
      if (u > v == up) s[p] = v, s[p + d] = u;
    }
  __syncthreads();
  y[base + t] = s[t], y[base + t + 512] = s[t + 512];
}
extern "C" __global__ void right(const int *x, int *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int base = i / 1024 * 1024, v = x[i];
  int before = 0;
  for (int k = base; k < base + 1024; k++) before += x[k] < v || (x[k] == v && k < i);
  y[base + before] = v;
}
