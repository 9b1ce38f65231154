__device__ unsigned divisor(unsigned a, unsigned b) {
  while (b) {
    const unsigned c = a % b;
    a = b, b = c;
  }
  return a;
}
extern "C" __global__ void gcd(const unsigned *x, unsigned *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = divisor(x[2 * i], x[2 * i + 1]);
}
extern "C" __global__ void right(const unsigned *x, unsigned *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = divisor(x[2 * i + 1], x[2 * i]);
}
