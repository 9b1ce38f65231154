#define P 2147483647ull
extern "C" __global__ void powers(const unsigned long long *x, unsigned long long *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  unsigned long long v = x[i], p = 1;
#pragma unroll 4
  for (int k = 0; k < 128; k++) {
    p *= v;
    p = (p & P) + (p >> 31);
    if (p >= P) p -= P;
  }
  y[i] = p;
}
extern "C" __global__ void right(const unsigned long long *x, unsigned long long *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned long long p = 1;
#pragma unroll 4
    for (int k = 0; k < 128; k++) p = p * x[i] % P;
    y[i] = p;
  }
}
