extern "C" __global__ void ninepoint(const double *x, double *y, int n) {
  const int c = blockIdx.x * 64 + threadIdx.x, first = (blockIdx.y * 4 + threadIdx.y) * 3;
  if (c < 1 || c >= n - 1) return;
  for (int r = max(1, first); r < min(n - 1, first + 3); r++) {
    const double *p = x + (size_t)r * n + c;
    y[(size_t)r * n + c] = 0.25 * p[0] + 0.125 * (p[-1] + p[1] + p[-n] + p[n]) + 0.0625 * (p[-n - 1] + p[-n + 1] + p[n - 1] + p[n + 1]);
  }
}
extern "C" __global__ void right(const double *x, double *y, int n) {
  const size_t at = blockIdx.x * blockDim.x + threadIdx.x, r = at / n, c = at % n;
  if (r < 1 || c < 1 || r >= n - 1 || c >= n - 1) return;
  double sum = 0;
  for (int u = -1; u < 2; u++)
    for (int v = -1; v < 2; v++) sum += x[(r + u) * n + c + v] * (u ? 0.25 : 0.5) * (v ? 0.25 : 0.5);
  y[at] = sum;
}
