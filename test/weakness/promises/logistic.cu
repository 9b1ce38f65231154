template <class T> __device__ T value(T v) {
  T w = v;
  for (int k = 0; k < 256; k++) {
    v = v * (T)0.5 + w * (T)0.25;
    w = w * (T)0.5 + v * (T)0.25 + (T)0.1;
  }
  return v + w;
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
