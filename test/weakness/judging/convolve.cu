__constant__ float taps[31];
extern "C" __global__ void convolve(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < 31; k++) sum += taps[k] * x[i + k];
  y[i] = sum;
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { float sum = 0; for (int k = 30; k >= 0; k--) sum += taps[k] * x[i + k]; y[i] = sum; }
}
