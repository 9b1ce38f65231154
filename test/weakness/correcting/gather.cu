__device__ unsigned place(unsigned i, unsigned m) { i ^= i >> 16; i *= 0x7feb352du; i ^= i >> 15; i *= 0x846ca68bu; i ^= i >> 16; return i & (m - 1); }
extern "C" __global__ void gather(const float *x, float *y, int n, int m) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = x[place(i, m)];
}
extern "C" __global__ void right(const float *x, float *y, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[place(i, m)];
}
