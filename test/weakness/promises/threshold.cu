extern "C" __global__ void before(const unsigned char *x, unsigned char *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = x[i] > 127 ? 255 : 0;
}
__device__ unsigned four(unsigned v) { return (v >> 7 & 0x01010101u) * 255; }
extern "C" __global__ void after(const uint4 *x, uint4 *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (16 * i >= n) return;
  const uint4 v = x[i];
  y[i] = make_uint4(four(v.x), four(v.y), four(v.z), four(v.w));
}
extern "C" __global__ void right(const unsigned char *x, unsigned char *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] >= 128 ? 255 : 0;
}
