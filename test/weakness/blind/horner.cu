template <class T> __device__ void evaluated(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const T v = x[i];
  T sum = 1;
#pragma unroll
  for (int k = 1; k <= 24; k++) sum = sum * v + (T)(1. / k);
  y[i] = (float)(sum / 16);
}
extern "C" __global__ void before(const float *x, float *y, int n) { evaluated<double>(x, y, n); }
extern "C" __global__ void after(const float *x, float *y, int n) { evaluated<float>(x, y, n); }
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double sum = 1;
    for (int k = 1; k <= 24; k++) sum = sum * x[i] + 1. / k;
    y[i] = (float)(sum / 16);
  }
}
