extern "C" __global__ void before(const float *x, float *y, int n) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  float sum = 0;
#pragma unroll 32
  for (int k = 0; k < 1024; k++) sum = fmaf(v, 0.001f * (k % 32), sum);
  y[i] = sum;
}
extern "C" __global__ void after(const float *x, float *y, int n) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  float sum[4] = {};
#pragma unroll 32
  for (int k = 0; k < 1024; k++) sum[k % 4] = fmaf(v, 0.001f * (k % 32), sum[k % 4]);
  y[i] = sum[0] + sum[1] + sum[2] + sum[3];
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double sum = 0;
    for (int k = 0; k < 1024; k++) sum += x[i] * 0.001 * (k % 32);
    y[i] = (float)sum;
  }
}
