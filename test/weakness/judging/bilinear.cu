__device__ unsigned char sample(const unsigned char *x, int n, float u, float v) {
  const int c = min(n - 2, (int)u), r = min(n - 2, (int)v);
  const float a = u - c, b = v - r;
  const unsigned char *p = x + (size_t)r * n + c;
  return (unsigned char)((1 - b) * ((1 - a) * p[0] + a * p[1]) + b * ((1 - a) * p[n] + a * p[n + 1]) + 0.5f);
}
extern "C" __global__ void bilinear(const unsigned char *x, unsigned char *y, int n) {
  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y, m = n / 2;
  if (c < m && r < m) y[(size_t)r * m + c] = sample(x, n, 2 * c + 0.25f, 2 * r + 0.25f);
}
extern "C" __global__ void right(const unsigned char *x, unsigned char *y, int n) {
  const size_t at = blockIdx.x * blockDim.x + threadIdx.x, m = n / 2;
  if (at < m * m) y[at] = sample(x, n, 2 * (at % m) + 0.25f, 2 * (at / m) + 0.25f);
}
