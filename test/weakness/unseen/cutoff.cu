template <class T> __device__ void pull(const float4 *x, float4 *y, int n, int i) {
  const float4 p = x[i];
  T fx = 0, fy = 0, fz = 0;
  for (int k = 1; k <= 128; k++) {
    const float4 q = x[(i + k * 37) % n];
    const float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z, r = dx * dx + dy * dy + dz * dz;
    if (r < 0.25f && r > 0.01f) {
      const T s = 1 / (T)r, s3 = s * s * s, f = s3 * (s3 - (T)0.5) * (T)1e-9;
      fx += f * dx, fy += f * dy, fz += f * dz;
    }
  }
  y[i] = make_float4(fx, fy, fz, 0);
}
extern "C" __global__ void cutoff(const float4 *x, float4 *y, int n) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) pull<float>(x, y, n, i);
}
extern "C" __global__ void right(const float4 *x, float4 *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) pull<double>(x, y, n, i);
}
