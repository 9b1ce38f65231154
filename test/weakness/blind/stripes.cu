template <int PAD> __device__ void striped(const int *x, int *y) {
  __shared__ int s[256 * (8 + PAD)];
  const int first = blockIdx.x * 2048;
  const int4 a = ((const int4 *)x)[(first + 8 * threadIdx.x) / 4], b = ((const int4 *)x)[(first + 8 * threadIdx.x) / 4 + 1];
  int *own = s + threadIdx.x * (8 + PAD), v[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
#pragma unroll 1
  for (int round = 0; round < 16; round++) {
#pragma unroll
    for (int k = 0; k < 8; k++) own[k] = v[k] + round;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; k++) {
      const int j = k * 256 + threadIdx.x;
      v[k] ^= s[j / 8 * (8 + PAD) + j % 8];
    }
    __syncthreads();
  }
#pragma unroll
  for (int k = 0; k < 8; k++) y[first + k * 256 + threadIdx.x] = v[k];
}
extern "C" __global__ void before(const int *x, int *y, int n) { striped<0>(x, y); }
extern "C" __global__ void after(const int *x, int *y, int n) { striped<1>(x, y); }
extern "C" __global__ void right(const int *x, int *y, int n) {
  __shared__ int v[2048], u[2048];
  for (int j = threadIdx.x; j < 2048; j += 256) v[j] = x[blockIdx.x * 2048 + j];
  for (int round = 0; round < 16; round++) {
    __syncthreads();
    for (int j = threadIdx.x; j < 2048; j += 256) u[j] = v[j] + round;
    __syncthreads();
    for (int j = threadIdx.x; j < 2048; j += 256) v[j] ^= u[j % 8 * 256 + j / 8];
  }
  __syncthreads();
  for (int j = threadIdx.x; j < 2048; j += 256) y[blockIdx.x * 2048 + j % 8 * 256 + j / 8] = v[j];
}
