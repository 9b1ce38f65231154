extern "C" __global__ void scaled(const float *x, float *u, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) u[i] = x[i] * 3;
}
extern "C" __global__ void biased(const float *u, float *v, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) v[i] = u[i] - 1;
}
extern "C" __global__ void clamped(const float *v, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = fmaxf(v[i], 0);
}
extern "C" __global__ void after(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = fmaxf(x[i] * 3 - 1, 0);
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = (float)fmax(x[i] * 3.0 - 1, 0.0);
}
