extern "C" __global__ void quantize(const float4 *x, char4 *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (4 * i >= n) return;
  const float4 v = x[i];
  y[i] = make_char4(__float2int_rn(fminf(127, fmaxf(-127, v.x * 100))), __float2int_rn(fminf(127, fmaxf(-127, v.y * 100))), __float2int_rn(fminf(127, fmaxf(-127, v.z * 100))), __float2int_rn(fminf(127, fmaxf(-127, v.w * 100))));
}
extern "C" __global__ void right(const float *x, signed char *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float v = x[i] * 100;
    y[i] = (signed char)(v > 127 ? 127 : v < -127 ? -127 : rintf(v));
  }
}
