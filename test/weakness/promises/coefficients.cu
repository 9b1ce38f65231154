__constant__ float table[256] = {
#define FOUR(k) (k) * 0.5f, (k) * -0.25f, 1.0f / (k), 0.125f
#define MORE(k) FOUR(k), FOUR(k + 1), FOUR(k + 2), FOUR(k + 3), FOUR(k + 4), FOUR(k + 5), FOUR(k + 6), FOUR(k + 7)
    MORE(1), MORE(9), MORE(17), MORE(25), MORE(33), MORE(41), MORE(49), MORE(57)};
extern "C" __global__ void before(const unsigned char *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 8; k++) sum += table[(x[i] + 31 * k) & 255];
  y[i] = sum;
}
extern "C" __global__ void after(const unsigned char *x, float *y, int n) {
  __shared__ float s[256];
  s[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 8; k++) sum += s[(x[i] + 31 * k) & 255];
  y[i] = sum;
}
extern "C" __global__ void right(const unsigned char *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double sum = 0;
    for (int k = 0; k < 8; k++) sum += table[(x[i] + 31 * k) & 255];
    y[i] = (float)sum;
  }
}
