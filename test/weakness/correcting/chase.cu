__device__ unsigned walk(const unsigned *next, unsigned at, int m) {
  for (int s = 0; s < 64; s++) at = (next[at & (m - 1)] + at) * 2654435761u >> 5;
  return at;
}
extern "C" __global__ void chase(const unsigned *next, unsigned *y, int n, int m) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) y[i] = walk(next, i * 77, m);
}
extern "C" __global__ void right(const unsigned *next, unsigned *y, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = walk(next, i * 77, m);
}
