extern "C" __global__ void square(const float *x, float *s, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) s[i] = x[i] * x[i];
}
extern "C" __global__ void shift(float *s, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) s[i] += 1;
}
extern "C" __global__ void root(const float *s, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = sqrtf(s[i]);
}
extern "C" __global__ void after(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = sqrtf(x[i] * x[i] + 1);
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = (float)sqrt((double)x[i] * x[i] + 1);
}
