extern "C" __global__ void indirect(const unsigned *p, const double *x, double *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = x[p[i] % n] + x[p[i + n] % n] + x[p[i + 2 * n] % n];
}
extern "C" __global__ void right(const unsigned *p, const double *x, double *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += x[p[i + k * n] % n];
    y[i] = sum;
  }
}
