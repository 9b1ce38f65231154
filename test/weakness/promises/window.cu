extern "C" __global__ void before(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
#pragma unroll 13
  for (int k = 0; k < 65; k++) sum += x[i + k];
  y[i] = sum;
}
extern "C" __global__ void after(const float *x, float *y, int n) {
  __shared__ float s[320];
  const int first = blockIdx.x * 256, i = first + threadIdx.x;
  for (int k = threadIdx.x; k < 320; k += 256) s[k] = first + k < n + 64 ? x[first + k] : 0;
  __syncthreads();
  float sum = 0;
#pragma unroll 13
  for (int k = 0; k < 65; k++) sum += s[threadIdx.x + k];
  if (i < n) y[i] = sum;
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double sum = 0;
    for (int k = 0; k < 65; k++) sum += x[i + k];
    y[i] = (float)sum;
  }
}
