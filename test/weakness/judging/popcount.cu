extern "C" __global__ void popcount(const uint4 *x, const uint4 *z, int *y, int n) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  int c = 0;
  for (int k = 0; k < 8; k++) {
    const uint4 p = x[k * n + i], q = z[k];
    c += __popc(p.x ^ q.x) + __popc(p.y ^ q.y) + __popc(p.z ^ q.z) + __popc(p.w ^ q.w);
  }
  y[i] = c;
}
extern "C" __global__ void right(const uint4 *x, const uint4 *z, int *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { int c = 0; for (int k = 7; k >= 0; k--) { const uint4 p = x[k * n + i], q = z[k]; c += __popc(p.x ^ q.x) + __popc(p.y ^ q.y) + __popc(p.z ^ q.z) + __popc(p.w ^ q.w); } y[i] = c; }
}
