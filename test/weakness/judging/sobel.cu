__device__ int edge(const unsigned char *x, int n, int r, int c) {
  if (r < 1 || c < 1 || r >= n - 1 || c >= n - 1) return 0;
  const unsigned char *p = x + (size_t)(r - 1) * n + c - 1, *q = p + n, *s = q + n;
  const int u = p[2] + 2 * q[2] + s[2] - p[0] - 2 * q[0] - s[0], v = s[0] + 2 * s[1] + s[2] - p[0] - 2 * p[1] - p[2];
  return min(255, abs(u) + abs(v));
}
extern "C" __global__ void sobel(const unsigned char *x, unsigned char *y, int n) {
  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
  if (c < n && r < n) y[(size_t)r * n + c] = edge(x, n, r, c);
}
extern "C" __global__ void right(const unsigned char *x, unsigned char *y, int n) {
  const size_t at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < (size_t)n * n) y[at] = edge(x, n, at / n, at % n);
}
