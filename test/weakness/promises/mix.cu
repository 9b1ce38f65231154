__device__ int mixed(int a, int b) { return min(32767, max(-32768, a + b)); }
extern "C" __global__ void before(const short *x, const short *z, short *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = mixed(x[i], z[i]);
}
__device__ int both(int a, int b) { return (mixed((short)a, (short)b) & 0xffff) | mixed(a >> 16, b >> 16) << 16; }
extern "C" __global__ void after(const short *x, const short *z, short *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (8 * i >= n) return;
  const int4 a = ((const int4 *)x)[i], b = ((const int4 *)z)[i];
  ((int4 *)y)[i] = make_int4(both(a.x, b.x), both(a.y, b.y), both(a.z, b.z), both(a.w, b.w));
}
extern "C" __global__ void right(const short *x, const short *z, short *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int s = x[i] + z[i];
    y[i] = s > 32767 ? 32767 : s < -32768 ? -32768 : s;
  }
}
