extern "C" __global__ void before(const unsigned char *x, unsigned char *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = 255 - x[i];
}
extern "C" __global__ void after(const uint4 *x, uint4 *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n / 16) return;
  const uint4 v = x[i];
  y[i] = make_uint4(~v.x, ~v.y, ~v.z, ~v.w);
}
extern "C" __global__ void right(const unsigned char *x, unsigned char *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = 255 - x[i];
}
