template <class T> __device__ T way(T v, int odd) {
  if (odd) {
#pragma unroll 8
    for (int k = 0; k < 64; k++) v = v * (T)0.75 + (T)0.125;
  } else {
#pragma unroll 8
    for (int k = 0; k < 64; k++) v = (v + (T)0.25) * ((T)0.5 - v * (T)0.0625);
  }
  return v;
}
extern "C" __global__ void before(const float *x, float *y, int n) {
  const int i = blockIdx.x * 448 + threadIdx.x;
  if (i < n) y[i] = way(x[i], threadIdx.x / 7 % 2);
}
__device__ int place(int t) { // 448 is 14 times 32: half of the warps take the sevens of each kind
  const int odd = t >= 224, k = t - odd * 224;
  return k / 7 * 14 + odd * 7 + k % 7;
}
extern "C" __global__ void after(const float *x, float *y, int n) {
  const int i = blockIdx.x * 448 + place(threadIdx.x);
  if (i < n) y[i] = way(x[i], threadIdx.x >= 224);
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = (float)way<double>(x[i], i % 448 / 7 % 2);
}
