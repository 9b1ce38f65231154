extern "C" __global__ void plain(const float *a, const float *b, float *c, int n) {
  const int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
  c[i * n + j] = sum;
}
extern "C" __global__ void tiles(const float *a, const float *b, float *c, int n) {
  __shared__ float s[16][16], t[16][16];
  const int x = threadIdx.x, y = threadIdx.y, j = blockIdx.x * 16 + x, i = blockIdx.y * 16 + y;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    s[y][x] = a[i * n + k + x];
    t[y][x] = b[(k + y) * n + j];
    __syncthreads();
    for (int m = 0; m < 16; m++) sum += s[y][m] * t[m][x];
    __syncthreads();
  }
  c[i * n + j] = sum;
}
extern "C" __global__ void right(const float *a, const float *b, float *c, int n) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x, i = at / n, j = at % n;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
  c[at] = sum;
}
