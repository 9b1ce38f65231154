extern "C" __global__ void before(const int *x, int *y, int lx, int ly, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const int v = x[i];
  y[i] = v % lx + 3 * (v / lx % ly) + 7 * (v / lx / ly);
}
extern "C" __global__ void after(const int *x, int *y, int lx, int ly, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const int v = x[i];
  y[i] = (v & 127) + 3 * (v >> 7 & 63) + 7 * (v >> 13);
}
extern "C" __global__ void right(const int *x, int *y, int lx, int ly, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] % 128 + 3 * (x[i] / 128 % 64) + 7 * (x[i] / 8192);
}
