extern "C" __global__ void before(const int *x, int *y, int n) {
  __shared__ int s[512];
  const int i = blockIdx.x * 512 + threadIdx.x;
  int v = x[i];
  s[threadIdx.x] = v;
  __syncthreads();
  for (int d = 1; d < 512; d *= 2) {
    if (threadIdx.x >= d) v += s[threadIdx.x - d];
    __syncthreads();
    s[threadIdx.x] = v;
    __syncthreads();
  }
  y[i] = v;
}
extern "C" __global__ void after(const int *x, int *y, int n) {
  __shared__ int s[16];
  const int i = blockIdx.x * 512 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int v = x[i];
  for (int d = 1; d < 32; d *= 2) {
    const int u = __shfl_up_sync(~0u, v, d);
    if (lane >= d) v += u;
  }
  if (lane == 31) s[warp] = v;
  __syncthreads();
  int sum = lane < warp && lane < 16 ? s[lane] : 0;
  for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  y[i] = v + sum;
}
extern "C" __global__ void right(const int *x, int *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int sum = 0;
    for (int k = i / 512 * 512; k <= i; k++) sum += x[k];
    y[i] = sum;
  }
}
