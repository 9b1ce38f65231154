static __device__ __forceinline__ float way(float v, int which) {
  switch (which) {
  case 0:
#pragma unroll 1
    for (int r = 0; r < 100; r++) v = v * 0.75f + 0.125f;
    break;
  case 1:
#pragma unroll 1
    for (int r = 0; r < 100; r++) v = (v + 0.5f) * v * 0.25f;
    break;
  case 2:
#pragma unroll 1
    for (int r = 0; r < 100; r++) v = fabsf(v - 0.375f) * 0.5f;
    break;
  default:
#pragma unroll 1
    for (int r = 0; r < 100; r++) v = fmaxf(v * v, 0.25f) * 0.875f;
  }
  return v;
}

extern "C" __global__ void weak(const float *__restrict__ x, float *__restrict__ y, int n) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  y[i] = way(x[i], i & 3);
}

extern "C" __global__ void mended(const float *__restrict__ x, float *__restrict__ y, int n) {
  const int i = blockIdx.x * 128 + (threadIdx.x & 31) * 4 + (threadIdx.x >> 5);
  y[i] = way(x[i], i & 3);
}

extern "C" __global__ void right(const float *x, float *y, int n) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  y[i] = way(x[i], i & 3);
}
