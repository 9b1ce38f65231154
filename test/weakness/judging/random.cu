__device__ unsigned philox(unsigned c, unsigned key) {
  unsigned a = c, b = key;
  for (int k = 0; k < 10; k++) {
    const unsigned hi = __umulhi(0xD2511F53u, a);
    a = 0xD2511F53u * a ^ b, b = hi ^ key;
    key += 0x9E3779B9u;
  }
  return a ^ b;
}
extern "C" __global__ void random_(uint4 *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (4 * i < n) y[i] = make_uint4(philox(4 * i, 7), philox(4 * i + 1, 7), philox(4 * i + 2, 7), philox(4 * i + 3, 7));
}
extern "C" __global__ void right(unsigned *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = philox(i, 7);
}
