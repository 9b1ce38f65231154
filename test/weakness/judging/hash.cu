__device__ unsigned mix(unsigned v, unsigned m) {
  for (int k = 0; k < 16; k++) v = (v ^ (v >> 15)) * 0x2c1b3c6du + (v << 7 | v >> 25);
  return v % m;
}
extern "C" __global__ void hash(const unsigned *x, unsigned *y, int n, int m) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = mix(x[i], m);
}
extern "C" __global__ void right(const unsigned *x, unsigned *y, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = mix(x[i], m);
}
