extern "C" __global__ void grey(const uchar3 *x, unsigned char *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = (77 * x[i].x + 150 * x[i].y + 29 * x[i].z) >> 8;
}
extern "C" __global__ void right(const unsigned char *x, unsigned char *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = (77 * x[3 * i] + 150 * x[3 * i + 1] + 29 * x[3 * i + 2]) >> 8;
}
