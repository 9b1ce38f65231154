extern "C" __global__ void before(const unsigned *x, unsigned *y, int n) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  unsigned s = x[i];
#pragma unroll 8
  for (unsigned k = 0; k < 1024; k++) s = s * 31 + (k ^ 85);
  y[i] = s;
}
extern "C" __global__ void after(const unsigned *x, unsigned *y, int n) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  unsigned s = 0, t = 0, u = 0, v = 0;
  const unsigned p = 31u * 31u * 31u * 31u;
#pragma unroll 2
  for (unsigned k = 0; k < 1024; k += 4) {
    s = s * p + (k ^ 85);
    t = t * p + ((k + 1) ^ 85);
    u = u * p + ((k + 2) ^ 85);
    v = v * p + ((k + 3) ^ 85);
  }
  y[i] = x[i] * 3120005121u + s * 29791 + t * 961 + u * 31 + v; // 31 to the power of 1024
}
extern "C" __global__ void right(const unsigned *x, unsigned *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned s = x[i];
    for (unsigned k = 0; k < 1024; k++) s = s * 31 + (k ^ 85);
    y[i] = s;
  }
}
