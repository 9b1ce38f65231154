extern "C" __global__ void few(const int *x, int *y, int n) {
  int sum = 0;
  for (int i = blockIdx.x * 1024 + threadIdx.x; i < n; i += 8192) sum += x[i];
  atomicAdd(&y[threadIdx.x % 32], sum);
}
extern "C" __global__ void right(const int *x, int *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&y[i % 32], x[i]);
}
