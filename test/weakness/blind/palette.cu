__constant__ int colours[64] = {
#define FOUR(k) (k) * 7, 255 - (k), (k) * (k), 31 * (k) + 5
    FOUR(0), FOUR(1), FOUR(2), FOUR(3), FOUR(4), FOUR(5), FOUR(6), FOUR(7), FOUR(8), FOUR(9), FOUR(10), FOUR(11), FOUR(12), FOUR(13), FOUR(14), FOUR(15)};
__device__ int mixed(const int *table, unsigned v) {
  int sum = 0;
#pragma unroll
  for (int k = 0; k < 5; k++) sum = sum * 3 + table[v >> 6 * k & 63];
  return sum;
}
extern "C" __global__ void before(const unsigned *x, int *y, int n) {
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) y[i] = mixed(colours, x[i]);
}
extern "C" __global__ void after(const unsigned *x, int *y, int n) {
  __shared__ int s[64];
  if (threadIdx.x < 64) s[threadIdx.x] = colours[threadIdx.x];
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) y[i] = mixed(s, x[i]);
}
extern "C" __global__ void right(const unsigned *x, int *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int sum = 0;
    for (int k = 0; k < 5; k++) sum = sum * 3 + colours[x[i] >> 6 * k & 63];
    y[i] = sum;
  }
}
