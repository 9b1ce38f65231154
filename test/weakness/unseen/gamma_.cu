extern "C" __global__ void gamma_(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = erff(x[i]) + powf(x[i], 1.7f) + atan2f(x[i], 3);
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = (float)(erf((double)x[i]) + pow((double)x[i], 1.7) + atan2((double)x[i], 3.));
}
