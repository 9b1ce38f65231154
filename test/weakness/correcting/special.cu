__device__ float price(float s, float k) {
  const float root = 0.3f * sqrtf(2.0f), d1 = (logf(s / k) + (0.02f + 0.045f) * 2) / root, d2 = d1 - root;
  return s * 0.5f * erfcf(-d1 * 0.70710678f) - k * expf(-0.04f) * 0.5f * erfcf(-d2 * 0.70710678f);
}
extern "C" __global__ void special(const float *x, const float *z, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = price(x[i], z[i]);
}
extern "C" __global__ void right(const float *x, const float *z, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = price(x[i], z[i]);
}
