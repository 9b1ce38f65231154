extern "C" __global__ void before(const int *x, int *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  int sum = 0;
#pragma unroll 8
  for (int k = 0; k < 64; k++) sum += x[i + k] * (k * 37 % 19 - 9);
  y[i] = sum;
}
extern "C" __global__ void after(const int *x, int *y, int n) {
  __shared__ int s[320];
  const int i = blockIdx.x * 256 + threadIdx.x;
  s[threadIdx.x] = x[i];
  if (threadIdx.x < 64) s[256 + threadIdx.x] = x[i + 256];
  __syncthreads();
  int sum = 0;
#pragma unroll 8
  for (int k = 0; k < 64; k++) sum += s[threadIdx.x + k] * (k * 37 % 19 - 9);
  y[i] = sum;
}
extern "C" __global__ void right(const int *x, int *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int sum = 0;
    for (int k = 0; k < 64; k++) sum += x[i + k] * (k * 37 % 19 - 9);
    y[i] = sum;
  }
}
