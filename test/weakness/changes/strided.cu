extern "C" __global__ void before(const int *x, int *y, int n) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < 128; k++) sum += x[k * n + i];
  y[i] = sum;
}
extern "C" __global__ void after(const int *x, int *y, int n) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
#pragma unroll 8
  for (int k = 0; k < 128; k++) sum += x[k * n + i];
  y[i] = sum;
}
extern "C" __global__ void right(const int *x, int *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int sum = 0;
    for (int k = 0; k < 128; k++) sum += x[k * n + i];
    y[i] = sum;
  }
}
