extern "C" __global__ void oddeven(const unsigned *x, unsigned *y, int n) {
  __shared__ unsigned s[512];
  const int t = threadIdx.x, at = blockIdx.x * 512;
  s[t] = x[at + t], s[t + 256] = x[at + t + 256];
  for (int p = 0; p < 512; p++) {
    __syncthreads();
    const int k = 2 * t + (p & 1);
    if (k + 1 < 512) {
      const unsigned a = s[k], b = s[k + 1];
      s[k] = min(a, b), s[k + 1] = max(a, b);
    }
  }
  __syncthreads();
  y[at + t] = s[t], y[at + t + 256] = s[t + 256];
}
extern "C" __global__ void right(const unsigned *x, unsigned *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int first = i / 512 * 512;
    int place = first;
    for (int k = first; k < first + 512; k++) place += x[k] < x[i] || x[k] == x[i] && k < i;
    y[place] = x[i];
  }
}
