static __device__ __forceinline__ void sums(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s[64], v = x[i];
#pragma unroll
  for (int k = 0; k < 64; k++) s[k] = v * k;
#pragma unroll 1
  for (int r = 0; r < 32; r++) {
#pragma unroll
    for (int k = 0; k < 64; k++) s[k] = s[k] * 0.5f + s[(k + 17) & 63] * v;
  }
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 64; k++) sum += s[k];
  y[i] = sum;
}

extern "C" __global__ void __launch_bounds__(256, 8) weak(const float *__restrict__ x, float *__restrict__ y, int n) { sums(x, y, n); }
extern "C" __global__ void __launch_bounds__(256) mended(const float *__restrict__ x, float *__restrict__ y, int n) { sums(x, y, n); }
extern "C" __global__ void right(const float *x, float *y, int n) { sums(x, y, n); }
