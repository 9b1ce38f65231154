extern "C" __global__ void before(const int *x, int *y, int n) {
  __shared__ int s[512];
  const int t = threadIdx.x;
  s[t] = x[blockIdx.x * 512 + t];
  for (int d = 1; d < 512; d *= 2) {
    __syncthreads();
    const int v = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += v;
  }
  y[blockIdx.x * 512 + t] = s[t];
}
extern "C" __global__ void after(const int *x, int *y, int n) {
  __shared__ int warps[16];
  const int t = threadIdx.x, lane = t % 32, w = t / 32;
  int v = x[blockIdx.x * 512 + t];
  for (int d = 1; d < 32; d *= 2) {
    const int u = __shfl_up_sync(~0u, v, d);
    if (lane >= d) v += u;
  }
  if (lane == 31) warps[w] = v;
  __syncthreads();
  for (int k = 0; k < w; k++) v += warps[k];
  y[blockIdx.x * 512 + t] = v;
}
extern "C" __global__ void right(const int *x, int *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int sum = 0;
    for (int k = i / 512 * 512; k <= i; k++) sum += x[k];
    y[i] = sum;
  }
}
