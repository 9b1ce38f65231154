extern "C" __global__ void before(const float *x, float *y, int n) {
  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y, p = n + 6;
  float sum = 0;
#pragma unroll
  for (int j = 0; j < 7; j++)
#pragma unroll
    for (int k = 0; k < 7; k++) sum += x[(size_t)(r + j) * p + c + k];
  y[(size_t)r * n + c] = sum;
}
extern "C" __global__ void after(const float *x, float *y, int n) {
  __shared__ float s[14][38];
  const int c = blockIdx.x * 32, r = blockIdx.y * 8, p = n + 6;
  for (int j = threadIdx.y; j < 14; j += 8)
    for (int k = threadIdx.x; k < 38; k += 32) s[j][k] = x[(size_t)(r + j) * p + c + k];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int j = 0; j < 7; j++)
#pragma unroll
    for (int k = 0; k < 7; k++) sum += s[threadIdx.y + j][threadIdx.x + k];
  y[(size_t)(r + threadIdx.y) * n + c + threadIdx.x] = sum;
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  const int p = n + 6;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n * n; i += gridDim.x * blockDim.x) {
    double sum = 0;
    for (int j = 0; j < 7; j++)
      for (int k = 0; k < 7; k++) sum += x[(size_t)(i / n + j) * p + i % n + k];
    y[i] = (float)sum;
  }
}
