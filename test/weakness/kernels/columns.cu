extern "C" __global__ void weak(const float *__restrict__ x, float *__restrict__ y, int n) {
  const size_t at = (size_t)(blockIdx.x * 32 + threadIdx.x) * n + blockIdx.y * 8 + threadIdx.y;
  y[at] = 2 * x[at] + 1;
}

extern "C" __global__ void mended(const float *__restrict__ x, float *__restrict__ y, int n) {
  const size_t at = (size_t)(blockIdx.y * 8 + threadIdx.y) * n + blockIdx.x * 32 + threadIdx.x;
  y[at] = 2 * x[at] + 1;
}

extern "C" __global__ void right(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n * n) y[i] = 2 * x[i] + 1;
}
