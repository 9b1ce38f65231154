extern "C" __global__ void weak(const float *__restrict__ x, float *__restrict__ y, int n, int part) {
  const int i = part * (n / 16) + blockIdx.x * 256 + threadIdx.x;
  y[i] = 2 * x[i] + 1;
}

extern "C" __global__ void mended(const float *__restrict__ x, float *__restrict__ y) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  y[i] = 2 * x[i] + 1;
}
