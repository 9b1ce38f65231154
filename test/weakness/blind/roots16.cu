__device__ float of(unsigned h) {
  float f;
  asm("{ .reg .b16 a, b; mov.b32 {a, b}, %1; cvt.f32.f16 %0, a; }" : "=f"(f) : "r"(h));
  return f;
}
extern "C" __global__ void before(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float most = 0;
#pragma unroll
  for (int k = 0; k < 8; k++) most = fmaxf(most, x[k * n + i] * (k + 1));
  y[i] = most;
}
extern "C" __global__ void after(const unsigned *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x, m = n / 2;
  if (i >= m) return;
  float s = 0, t = 0;
#pragma unroll
  for (int k = 0; k < 8; k++) {
    const unsigned u = x[k * m + i];
    s = fmaxf(s, of(u) * (k + 1));
    t = fmaxf(t, of(u >> 16) * (k + 1));
  }
  ((float2 *)y)[i] = make_float2(s, t);
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float most = 0;
    for (int k = 0; k < 8; k++) most = fmaxf(most, x[k * n + i] * (k + 1));
    y[i] = most;
  }
}
