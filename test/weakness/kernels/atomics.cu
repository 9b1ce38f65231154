extern "C" __global__ void weak(const float *__restrict__ x, float *y, int n) { atomicAdd(y, x[blockIdx.x * 256 + threadIdx.x]); }

extern "C" __global__ void mended(const float *__restrict__ x, float *y, int n) {
  __shared__ float warps[8];
  float v = x[blockIdx.x * 256 + threadIdx.x];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    v = 0;
    for (int i = 0; i < 8; i++) v += warps[i];
    atomicAdd(y, v);
  }
}

extern "C" __global__ void right(const float *x, float *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i];
  *y = (float)sum;
}
