__device__ double horner(double v) {
  double s = 1;
  for (int k = 24; k; k--) s = s * v + 1.0 / k;
  return s;
}
extern "C" __global__ void polynomial(const double *x, double *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = horner(x[i]);
}
extern "C" __global__ void right(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = horner(x[i]);
}
