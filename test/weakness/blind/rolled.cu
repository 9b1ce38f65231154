extern "C" __global__ void before(const unsigned *x, unsigned *y, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  unsigned v = x[i];
#pragma unroll
  for (unsigned k = 0; k < 2048; k++) v = v * 5 + (v >> 7 ^ (k * 2654435761u));
  y[i] = v;
}
extern "C" __global__ void after(const unsigned *x, unsigned *y, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  unsigned v = x[i];
#pragma unroll 8
  for (unsigned k = 0; k < 2048; k++) v = v * 5 + (v >> 7 ^ (k * 2654435761u));
  y[i] = v;
}
extern "C" __global__ void right(const unsigned *x, unsigned *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned v = x[i];
    for (unsigned k = 0; k < 2048; k++) v = v * 5 + (v >> 7 ^ (k * 2654435761u));
    y[i] = v;
  }
}
