extern "C" __global__ void before(const int *x, int *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 12; k++) y[i] = y[i] * 5 + x[k];
}
extern "C" __global__ void after(const int *__restrict__ x, int *__restrict__ y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  int v = y[i];
#pragma unroll
  for (int k = 0; k < 12; k++) v = v * 5 + x[k];
  y[i] = v;
}
extern "C" __global__ void right(const int *x, int *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) for (int k = 0; k < 12; k++) y[i] = y[i] * 5 + x[k];
}
