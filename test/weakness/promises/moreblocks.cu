__device__ void total(const int *x, int *y, int n) {
  int sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) sum += x[i] * x[i];
  for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0) atomicAdd(y, sum);
}
extern "C" __global__ void before(const int *x, int *y, int n) { total(x, y, n); }
extern "C" __global__ void after(const int *x, int *y, int n) { total(x, y, n); }
extern "C" __global__ void right(const int *x, int *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(y, x[i] * x[i]);
}
