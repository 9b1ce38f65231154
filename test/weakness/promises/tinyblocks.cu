extern "C" __global__ void before(const int *x, int *y, int n) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  if (i < n) y[i] = 3 * x[i] + 1;
}
extern "C" __global__ void after(const int *x, int *y, int n) {
#pragma unroll
  for (int k = 0; k < 4; k++) {
    const int i = blockIdx.x * 1024 + k * 256 + threadIdx.x;
    if (i < n) y[i] = 3 * x[i] + 1;
  }
}
extern "C" __global__ void right(const int *x, int *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] + 2 * x[i] + 1;
}
