static __device__ __forceinline__ float work(float v) {
#pragma unroll 1
  for (int r = 0; r < 500; r++) v = v * 0.9375f + 0.03125f;
  return v;
}

extern "C" __global__ void weak(const float *__restrict__ x, float *__restrict__ y, int n) {
#pragma unroll 1
  for (int k = 0; k < 4; k++) {
    const int i = blockIdx.x * 4096 + k * 1024 + threadIdx.x;
    y[i] = work(x[i]);
  }
}

extern "C" __global__ void mended(const float *__restrict__ x, float *__restrict__ y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  y[i] = work(x[i]);
}

extern "C" __global__ void right(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  y[i] = work(x[i]);
}
