extern "C" __global__ void before(const unsigned *x, unsigned *y, int n) {
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
    if (x[i] & 1) atomicAdd(y, x[i] & 3);
}
extern "C" __global__ void after(const unsigned *x, unsigned *y, int n) {
  __shared__ unsigned s[8];
  unsigned sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
    if (x[i] & 1) sum += x[i] & 3;
  for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(y, s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7]);
}
extern "C" __global__ void right(const unsigned *x, unsigned *y, int n) {
  unsigned sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i] & 1 ? x[i] & 3 : 0;
  atomicAdd(y, sum);
}
