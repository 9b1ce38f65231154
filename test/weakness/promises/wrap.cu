extern "C" __global__ void before(const unsigned *x, unsigned *y, int n, int m) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  unsigned v = x[i], sum = 0;
#pragma unroll
  for (int k = 0; k < 16; k++) sum = sum * 3 + (v + k * 977) % (unsigned)m;
  y[i] = sum;
}
extern "C" __global__ void after(const unsigned *x, unsigned *y, int n, int m) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  unsigned v = x[i], sum = 0;
#pragma unroll
  for (int k = 0; k < 16; k++) sum = sum * 3 + ((v + k * 977) & m - 1);
  y[i] = sum;
}
extern "C" __global__ void right(const unsigned *x, unsigned *y, int n, int m) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned sum = 0;
    for (int k = 0; k < 16; k++) sum = sum * 3 + (x[i] + k * 977) % (unsigned)m;
    y[i] = sum;
  }
}
