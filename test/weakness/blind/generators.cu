extern "C" __global__ void step(unsigned *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = y[i] * 1664525u + 1013904223u;
}
extern "C" __global__ void after(unsigned *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  unsigned v = y[i];
  for (int k = 0; k < 8; k++) v = v * 1664525u + 1013904223u;
  y[i] = v;
}
extern "C" __global__ void right(unsigned *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) for (int k = 0; k < 8; k++) y[i] = y[i] * 1664525u + 1013904223u;
}
