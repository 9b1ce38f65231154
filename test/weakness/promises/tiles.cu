extern "C" __global__ void before(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 256; k++) {
    const float d = a[i * 256 + k] - b[j * 256 + k];
    sum += d * d;
  }
  c[(size_t)i * n + j] = sum;
}
extern "C" __global__ void after(const float *a, const float *b, float *c, int n) {
  __shared__ float s[16][17], t[16][17];
  const int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * 16 + y, j = blockIdx.x * 16 + x;
  float sum = 0;
  for (int k = 0; k < 256; k += 16) {
    s[y][x] = a[i * 256 + k + x];
    t[y][x] = b[(blockIdx.x * 16 + y) * 256 + k + x];
    __syncthreads();
#pragma unroll
    for (int m = 0; m < 16; m++) {
      const float d = s[y][m] - t[x][m];
      sum += d * d;
    }
    __syncthreads();
  }
  c[(size_t)i * n + j] = sum;
}
extern "C" __global__ void right(const float *a, const float *b, float *c, int n) {
  const int at = blockIdx.x * 256 + threadIdx.x, i = at / n, j = at % n;
  if (i >= n) return;
  double sum = 0;
  for (int k = 0; k < 256; k++) {
    const double d = (double)a[i * 256 + k] - b[j * 256 + k];
    sum += d * d;
  }
  c[at] = (float)sum;
}
