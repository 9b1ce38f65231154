extern "C" __global__ void scatter(const float *x, float *y, int n) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[(i * 2654435761u + 12345u) & (n - 1)] = x[i];
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[((unsigned)i * 2654435761u + 12345u) & (n - 1)] = x[i];
}
