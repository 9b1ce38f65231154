__device__ unsigned amplified(unsigned v) { return v * 77u >> 6 & 65535u; }
__device__ unsigned both(unsigned v) { return amplified(v & 65535u) | amplified(v >> 16) << 16; }
extern "C" __global__ void before(const unsigned short *x, unsigned short *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = (unsigned short)amplified(x[i]);
}
extern "C" __global__ void after(const unsigned short *x, unsigned short *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (8 * i >= n) return;
  const uint4 v = ((const uint4 *)x)[i];
  ((uint4 *)y)[i] = make_uint4(both(v.x), both(v.y), both(v.z), both(v.w));
}
extern "C" __global__ void right(const unsigned short *x, unsigned short *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = (unsigned short)(x[i] * 77u / 64u % 65536u);
}
