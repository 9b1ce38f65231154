extern "C" __global__ void triad(const float4 *x, const float4 *z, float4 *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (4 * i >= n) return;
  const float4 p = x[i], q = z[i];
  y[i] = make_float4(p.x + 3 * q.x, p.y + 3 * q.y, p.z + 3 * q.z, p.w + 3 * q.w);
}
extern "C" __global__ void right(const float *x, const float *z, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + 3 * z[i];
}
