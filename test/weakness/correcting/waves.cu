__device__ float waves(float v) {
  float sum = 0;
  for (int k = 1; k < 5; k++) sum += __sinf(k * v) * __cosf(k * v * 0.5f) + __expf(-k * v * v);
  return sum;
}
extern "C" __global__ void fast(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = waves(x[i]);
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = waves(x[i]);
}
