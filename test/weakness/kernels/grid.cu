static __device__ __forceinline__ void all(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = sqrtf(fabsf(x[i])) + 1;
}

extern "C" __global__ void weak(const float *__restrict__ x, float *__restrict__ y, int n) { all(x, y, n); }
extern "C" __global__ void mended(const float *__restrict__ x, float *__restrict__ y, int n) { all(x, y, n); }
extern "C" __global__ void right(const float *x, float *y, int n) { all(x, y, n); }
