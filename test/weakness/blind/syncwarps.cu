template <bool BLOCK> __device__ void exchanged(const int *x, int *y) {
  __shared__ int s[512];
  const int i = blockIdx.x * 512 + threadIdx.x;
  int v = x[i];
#pragma unroll 1
  for (int k = 0; k < 128; k++) {
    s[threadIdx.x] = v;
    if (BLOCK) __syncthreads();
    else __syncwarp();
    v = v * 3 + s[threadIdx.x ^ (k & 31)];
    if (BLOCK) __syncthreads();
    else __syncwarp();
  }
  y[i] = v;
}
extern "C" __global__ void before(const int *x, int *y, int n) { exchanged<true>(x, y); }
extern "C" __global__ void after(const int *x, int *y, int n) { exchanged<false>(x, y); }
extern "C" __global__ void right(const int *x, int *y, int n) {
  __shared__ int s[512], t[512];
  const int i = blockIdx.x * 512 + threadIdx.x;
  t[threadIdx.x] = x[i];
  for (int k = 0; k < 128; k++) {
    __syncthreads();
    s[threadIdx.x] = t[threadIdx.x];
    __syncthreads();
    t[threadIdx.x] = s[threadIdx.x] * 3 + s[threadIdx.x / 32 * 32 + (threadIdx.x ^ (k & 31)) % 32];
  }
  y[i] = t[threadIdx.x];
}
