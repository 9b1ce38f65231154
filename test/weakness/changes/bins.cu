extern "C" __global__ void before(const unsigned char *x, unsigned *y, int n) {
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&y[x[i]], 1u);
}
extern "C" __global__ void after(const unsigned char *x, unsigned *y, int n) {
  __shared__ unsigned s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&s[x[i]], 1u);
  __syncthreads();
  atomicAdd(&y[threadIdx.x], s[threadIdx.x]);
}
extern "C" __global__ void right(const unsigned char *x, unsigned *y, int n) {
  unsigned c = 0;
  for (int i = threadIdx.x; i < n; i += 256) c += x[i] == blockIdx.x;
  atomicAdd(&y[blockIdx.x], c);
}
