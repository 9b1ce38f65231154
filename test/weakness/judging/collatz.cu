__device__ int steps(unsigned long long v) { int s = 0; while (v > 1 && s < 1000) v = v & 1 ? 3 * v + 1 : v / 2, s++; return s; }
extern "C" __global__ void collatz(int *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = steps(i + 1);
}
extern "C" __global__ void right(int *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = steps(i + 1);
}
