extern "C" __global__ void before(const float *a, const float *b, float *y, int n) {
  const int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 64; k++) sum += fabsf(a[i * 64 + k] - b[k * n + j]);
  y[(size_t)i * n + j] = sum;
}
extern "C" __global__ void after(const float *a, const float *b, float *y, int n) {
  __shared__ float s[16][16], t[16][16];
  const int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < 64; first += 16) {
    s[threadIdx.y][threadIdx.x] = a[i * 64 + first + threadIdx.x];
    t[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + j];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; k++) sum += fabsf(s[threadIdx.y][k] - t[k][threadIdx.x]);
    __syncthreads();
  }
  y[(size_t)i * n + j] = sum;
}
extern "C" __global__ void right(const float *a, const float *b, float *y, int n) {
  const int j = blockIdx.x * 16 + threadIdx.x;
  for (int i = blockIdx.y; i < n; i += gridDim.y) {
    double sum = 0;
    for (int k = 0; k < 64; k++) sum += fabs((double)a[i * 64 + k] - b[k * n + j]);
    if (threadIdx.y == 0) y[(size_t)i * n + j] = (float)sum;
  }
}
