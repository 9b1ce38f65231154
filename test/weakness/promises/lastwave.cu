template <class T> __device__ T value(T v) {
#pragma unroll 16
  for (int k = 0; k < 2048; k++) v = v * (T)0.999 + (T)0.0005;
  return v;
}
extern "C" __global__ void before(const float *x, float *y, int n) {
  const int i = blockIdx.x * 1024 + threadIdx.x;
  y[i] = value(x[i]);
}
extern "C" __global__ void after(const float *x, float *y, int n) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  y[i] = value(x[i]);
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 1024 * n; i += gridDim.x * blockDim.x) y[i] = (float)value<double>(x[i]);
}
