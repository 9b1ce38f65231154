extern "C" __global__ void before(const unsigned *x, unsigned *y, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) y[i] = x[i] >> (i & 7);
}
extern "C" __global__ void after(const unsigned *x, unsigned *y, int n) {
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) y[i] = x[i] >> (i & 7);
}
extern "C" __global__ void right(const unsigned *x, unsigned *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] >> (i & 7);
}
