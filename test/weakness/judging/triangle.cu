extern "C" __global__ void triangle(const float *x, float *y, int n) {
  __shared__ float s[128];
  const int r = blockIdx.x;
  float sum = 0;
  for (int c = threadIdx.x; c <= r; c += 128) sum += x[(size_t)r * n + c];
  s[threadIdx.x] = sum;
  for (int d = 64; d; d /= 2) {
    __syncthreads();
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
  }
  if (threadIdx.x == 0) y[r] = s[0];
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { float sum = 0; for (int c = 0; c <= i; c++) sum += x[(size_t)i * n + c]; y[i] = sum; }
}
