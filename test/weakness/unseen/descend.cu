__device__ unsigned down(const unsigned *t, unsigned key) {
  unsigned node = 0, sum = 0;
  for (int level = 0; level < 12; level++) {
    const unsigned v = t[node & 0xffffff];
    sum = sum * 31 + v;
    node = node * 4 + 1 + ((v ^ key >> 2 * level) & 3);
  }
  return sum;
}
extern "C" __global__ void descend(const unsigned *x, const unsigned *t, unsigned *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = down(t, x[i]);
}
extern "C" __global__ void right(const unsigned *x, const unsigned *t, unsigned *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = down(t, x[i]);
}
