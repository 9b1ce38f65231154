extern "C" __global__ void before(const float *a, const float *b, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = a[i] * b[i] + a[i];
}
__device__ float from(unsigned short h) {
  float f;
  asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
  return f;
}
extern "C" __global__ void after(const unsigned short *a, const unsigned short *b, float4 *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (4 * i >= n) return;
  const ushort4 u = ((const ushort4 *)a)[i], v = ((const ushort4 *)b)[i];
  y[i] = make_float4(from(u.x) * from(v.x) + from(u.x), from(u.y) * from(v.y) + from(u.y), from(u.z) * from(v.z) + from(u.z), from(u.w) * from(v.w) + from(u.w));
}
extern "C" __global__ void right(const float *a, const float *b, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = (float)((double)a[i] * b[i] + a[i]);
}
