__device__ double orbit(double p, int steps) {
  double v = 0;
  for (int k = 0; k < steps; k++) {
    v -= 0.01 * p;
    p += 0.01 * v;
  }
  return p;
}
extern "C" __global__ void orbits(const double *x, double *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  y[i] = orbit(x[i], 16 << blockIdx.x % 6);
}
extern "C" __global__ void right(const double *x, double *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 256 * n; i += gridDim.x * blockDim.x) y[i] = orbit(x[i], 16 << i / 256 % 6);
}
