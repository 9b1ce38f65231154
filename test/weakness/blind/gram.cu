extern "C" __global__ void before(const float *a, float *y, int n) {
  const int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[(size_t)k * n + i] * a[(size_t)k * n + j];
  y[(size_t)i * n + j] = sum;
}
extern "C" __global__ void after(const float *a, float *y, int n) {
  __shared__ float s[16][16], t[16][16];
  const int i = blockIdx.y * 16, j = blockIdx.x * 16;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    s[threadIdx.y][threadIdx.x] = a[(size_t)(k + threadIdx.y) * n + i + threadIdx.x];
    t[threadIdx.y][threadIdx.x] = a[(size_t)(k + threadIdx.y) * n + j + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int m = 0; m < 16; m++) sum += s[m][threadIdx.y] * t[m][threadIdx.x];
    __syncthreads();
  }
  y[(size_t)(i + threadIdx.y) * n + j + threadIdx.x] = sum;
}
extern "C" __global__ void right(const float *a, float *y, int n) {
  for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < n * n; p += gridDim.x * blockDim.x) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += (double)a[(size_t)k * n + p / n] * a[(size_t)k * n + p % n];
    y[p] = (float)sum;
  }
}
