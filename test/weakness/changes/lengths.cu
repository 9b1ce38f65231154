__device__ float iterated(float v, int times) {
  for (int k = 0; k < times; k++) v = v * 0.5f + 0.25f;
  return v;
}
extern "C" __global__ void before(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = iterated(x[i], 4 + i % 32 * 4);
}
extern "C" __global__ void after(const float *x, float *y, int n) { // threads take the work of a number of elsewhere
  const int t = blockIdx.x * 256 + threadIdx.x, i = t / 1024 * 1024 + t % 32 * 32 + t / 32 % 32;
  if (i < n) y[i] = iterated(x[i], 4 + i % 32 * 4);
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double v = x[i];
    for (int k = 0; k < 4 + i % 32 * 4; k++) v = v * 0.5 + 0.25;
    y[i] = (float)v;
  }
}
