extern "C" __global__ void stencil3(const float *x, float *y, int n) {
  const int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 4 + threadIdx.y;
  if (i < 1 || j < 1 || i >= n - 1 || j >= n - 1) return;
  const int plane = n * n;
  int at = j * n + i;
  float below = x[at], here = x[at + plane];
  for (int p = 1; p < n - 1; p++) {
    at += plane;
    const float above = x[at + plane];
    y[at] = -6 * here + below + above + x[at - 1] + x[at + 1] + x[at - n] + x[at + n];
    below = here, here = above;
  }
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x, i = at % n, j = at / n % n, p = at / n / n;
  if (p < 1 || i < 1 || j < 1 || p >= n - 1 || i >= n - 1 || j >= n - 1) return;
  y[at] = -6 * x[at] + x[at - n * n] + x[at + n * n] + x[at - 1] + x[at + 1] + x[at - n] + x[at + n];
}
