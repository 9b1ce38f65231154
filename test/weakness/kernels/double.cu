template <class T> static __device__ void series(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T v = x[i], s = 0, t = 1;
#pragma unroll 8
  for (int r = 0; r < 64; r++) {
    s = s * v + T(0.125);
    t = t * v - T(0.25);
  }
  y[i] = (float)(s + t);
}

extern "C" __global__ void weak(const float *__restrict__ x, float *__restrict__ y, int n) { series<double>(x, y, n); }
extern "C" __global__ void mended(const float *__restrict__ x, float *__restrict__ y, int n) { series<float>(x, y, n); }
extern "C" __global__ void right(const float *x, float *y, int n) { series<double>(x, y, n); }
