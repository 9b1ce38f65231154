extern "C" __global__ void eights(const double *a, const double *b, double *c, int n) {
  const int m = blockIdx.x * 16 + threadIdx.x / 8, r = threadIdx.x % 8;
  if (m >= n) return;
  const double *row = a + (size_t)m * 64 + r * 8, *p = b + (size_t)m * 64;
  double sum[8] = {};
  for (int k = 0; k < 8; k++)
#pragma unroll
    for (int j = 0; j < 8; j++) sum[j] += row[k] * p[k * 8 + j];
#pragma unroll
  for (int j = 0; j < 8; j++) c[(size_t)m * 64 + r * 8 + j] = sum[j];
}
extern "C" __global__ void right(const double *a, const double *b, double *c, int n) {
  for (int at = blockIdx.x * blockDim.x + threadIdx.x; at < 64 * n; at += gridDim.x * blockDim.x) {
    const int m = at / 64, i = at / 8 % 8, j = at % 8;
    double sum = 0;
    for (int k = 0; k < 8; k++) sum += a[m * 64 + i * 8 + k] * b[m * 64 + k * 8 + j];
    c[at] = sum;
  }
}
