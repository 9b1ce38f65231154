// What is asked for does not depend on where it lies: all eight are summed.
extern "C" __global__ void before(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < 8; k += 4) sum += x[8 * i + k] * x[8 * i + k];
  y[i] = sum;
}
extern "C" __global__ void after(const float *x, float *y, int n) { // arrays: place k of particle i
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < 8; k += 4) sum += x[(size_t)k * n + i] * x[(size_t)k * n + i];
  y[i] = sum;
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = 0.5f;
}
