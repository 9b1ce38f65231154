template <class T> __device__ T value(T v) {
  T r = 1;
  for (int k = 0; k < 12; k++) r = (T)0.5 * r * ((T)3 - v * r * r);
  return r;
}
extern "C" __global__ void before(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = (float)value<double>(x[i]);
}
extern "C" __global__ void after(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = value<float>(x[i]);
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = (float)value<double>(x[i]);
}
