extern "C" __global__ void before(const float *x, float *y, int n) {
  const int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) y[(size_t)i * n + n - 1 - (j + k)] = x[(size_t)(j + k) * n + i];
}
extern "C" __global__ void after(const float *x, float *y, int n) {
  __shared__ float s[32][33];
  const int i = blockIdx.x * 32, j = blockIdx.y * 32;
  for (int k = 0; k < 32; k += 8) s[threadIdx.y + k][threadIdx.x] = x[(size_t)(j + threadIdx.y + k) * n + i + threadIdx.x];
  __syncthreads();
  for (int k = 0; k < 32; k += 8) y[(size_t)(i + threadIdx.y + k) * n + n - 32 - j + threadIdx.x] = s[31 - threadIdx.x][threadIdx.y + k];
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < n * n; p += gridDim.x * blockDim.x) y[(size_t)(p % n) * n + n - 1 - p / n] = x[p];
}
