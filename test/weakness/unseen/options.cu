__device__ double normal(double d) { return 0.5 * erfc(-d * 0.70710678118654752); }
extern "C" __global__ void options(const double *s, const double *k, double *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const double d1 = (log(s[i] / k[i]) + 0.065) / 0.3, d2 = d1 - 0.3;
  y[i] = s[i] * normal(d1) - k[i] * 0.98 * normal(d2);
}
extern "C" __global__ void right(const double *s, const double *k, double *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const double d1 = (log(s[i]) - log(k[i]) + 0.065) / 0.3, d2 = d1 - 0.3;
    y[i] = s[i] * normal(d1) - k[i] * 0.98 * normal(d2);
  }
}
