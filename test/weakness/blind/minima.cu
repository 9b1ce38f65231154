extern "C" __global__ void before(const int *x, int *y, int n) {
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicMin(&y[x[i] & 15], x[i]);
}
extern "C" __global__ void after(const int *x, int *y, int n) {
  __shared__ int s[16];
  if (threadIdx.x < 16) s[threadIdx.x] = 2147483647;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicMin(&s[x[i] & 15], x[i]);
  __syncthreads();
  if (threadIdx.x < 16) atomicMin(&y[threadIdx.x], s[threadIdx.x]);
}
extern "C" __global__ void right(const int *x, int *y, int n) {
  int least = 2147483647;
  for (int i = threadIdx.x; i < n; i += 256)
    if ((x[i] & 15) == blockIdx.x) least = min(least, x[i]);
  atomicMin(&y[blockIdx.x], least);
}
