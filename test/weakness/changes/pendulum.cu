template <class T> __device__ T swung(T a) {
  T w = 0;
  for (int k = 0; k < 24; k++) {
    const T b = a * a;
    w -= (T)0.05 * a * (1 + b * ((T)-0.16666667 + b * ((T)0.0083333 - b * (T)0.000198)));
    a += (T)0.05 * w;
  }
  return a;
}
extern "C" __global__ void before(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = (float)swung<double>(x[i]);
}
extern "C" __global__ void after(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = swung<float>(x[i]);
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = (float)swung<double>(x[i]);
}
