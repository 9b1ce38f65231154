__device__ float first(unsigned h) {
  float f;
  asm("{ .reg .b16 a, b; mov.b32 {a, b}, %1; cvt.f32.f16 %0, a; }" : "=f"(f) : "r"(h));
  return f;
}
__device__ float product(unsigned a, unsigned b) { return first(a) * first(b) + first(a >> 16) * first(b >> 16); }
extern "C" __global__ void before(const float *a, const float *b, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 16; k++) sum += a[k * n + i] * b[k * n + i];
  y[i] = sum;
}
extern "C" __global__ void after(const unsigned *a, const unsigned *b, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x, m = n / 2;
  if (i >= m) return;
  float s = 0, t = 0;
#pragma unroll
  for (int k = 0; k < 16; k++) {
    const unsigned u = a[k * m + i], v = b[k * m + i];
    s += first(u) * first(v);
    t += first(u >> 16) * first(v >> 16);
  }
  ((float2 *)y)[i] = make_float2(s, t);
}
extern "C" __global__ void right(const float *a, const float *b, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double sum = 0;
    for (int k = 0; k < 16; k++) sum += (double)a[k * n + i] * b[k * n + i];
    y[i] = (float)sum;
  }
}
