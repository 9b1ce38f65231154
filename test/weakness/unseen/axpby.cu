extern "C" __global__ void axpby(const double *x, double *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = 1.5 * x[i] - 0.25 * y[i];
}
extern "C" __global__ void right(const double *x, double *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = fma(1.5, x[i], -0.25 * y[i]);
}
