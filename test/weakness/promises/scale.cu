extern "C" __global__ void before(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = 1.25f * x[i] + 0.5f;
}
extern "C" __global__ void after(const float4 *x, float4 *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (4 * i >= n) return;
  const float4 v = x[i];
  y[i] = make_float4(1.25f * v.x + 0.5f, 1.25f * v.y + 0.5f, 1.25f * v.z + 0.5f, 1.25f * v.w + 0.5f);
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = (float)(1.25 * x[i] + 0.5);
}
