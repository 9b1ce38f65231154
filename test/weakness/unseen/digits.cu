extern "C" __global__ void digits(const unsigned *x, unsigned *y, int n) {
  __shared__ unsigned s[16];
  if (threadIdx.x < 16) s[threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < 8; k++) atomicAdd(&s[x[blockIdx.x * 2048 + k * 256 + threadIdx.x] >> 8 & 15], 1u);
  __syncthreads();
  if (threadIdx.x < 16) y[blockIdx.x * 16 + threadIdx.x] = s[threadIdx.x];
}
extern "C" __global__ void right(const unsigned *x, unsigned *y, int n) {
  for (int at = blockIdx.x * blockDim.x + threadIdx.x; at < 16 * n; at += gridDim.x * blockDim.x) {
    unsigned c = 0;
    for (int k = 0; k < 2048; k++) c += (x[at / 16 * 2048 + k] >> 8 & 15) == at % 16;
    y[at] = c;
  }
}
