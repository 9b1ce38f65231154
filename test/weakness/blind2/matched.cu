// Complex numbers, real and imaginary parts in turn, by the conjugate of a filter of 4096.
extern "C" __global__ void before(const float *x, const float *h, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const int j = i % 4096;
  const float re = x[2 * i], im = x[2 * i + 1], u = h[2 * j], v = h[2 * j + 1];
  y[2 * i] = re * u + im * v;
  y[2 * i + 1] = im * u - re * v;
}
extern "C" __global__ void after(const float *x, const float *h, float *y, int n) {
  const int i = 2 * (blockIdx.x * 256 + threadIdx.x), j = i % 4096;
  if (i + 1 < n) {
    const float4 a = *(const float4 *)(x + 2 * i), b = *(const float4 *)(h + 2 * j);
    *(float4 *)(y + 2 * i) = make_float4(a.x * b.x + a.y * b.y, a.y * b.x - a.x * b.y, a.z * b.z + a.w * b.w, a.w * b.z - a.z * b.w);
  } else if (i < n) { // the last of an odd number
    const float re = x[2 * i], im = x[2 * i + 1], u = h[2 * j], v = h[2 * j + 1];
    y[2 * i] = re * u + im * v;
    y[2 * i + 1] = im * u - re * v;
  }
}
extern "C" __global__ void right(const float *x, const float *h, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const double re = x[2 * i], im = x[2 * i + 1], u = h[i % 4096 * 2], v = h[i % 4096 * 2 + 1];
    y[2 * i] = (float)(re * u + im * v);
    y[2 * i + 1] = (float)(im * u - re * v);
  }
}
