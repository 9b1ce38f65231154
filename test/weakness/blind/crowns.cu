extern "C" __global__ void before(const int *x, int *y, int n) {
  __shared__ int s[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  int v = x[i];
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    s[threadIdx.x] = v;
    __syncthreads();
    v = max(v, s[threadIdx.x ^ d]);
    __syncthreads();
  }
  y[i] = v;
}
extern "C" __global__ void after(const int *x, int *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  int v = x[i];
#pragma unroll
  for (int d = 1; d < 32; d *= 2) v = max(v, __shfl_xor_sync(~0u, v, d));
  y[i] = v;
}
extern "C" __global__ void right(const int *x, int *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int v = 0;
    for (int k = 0; k < 32; k++) v = max(v, x[i / 32 * 32 + k]);
    y[i] = v;
  }
}
