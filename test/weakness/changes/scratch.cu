template <int ROOM> __device__ void walk(const unsigned *next, unsigned *y, int n, unsigned m) {
  __shared__ unsigned way[ROOM * 128];
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  unsigned at = i * 2654435761u & m - 1;
#pragma unroll 1
  for (int s = 0; s < 8; s++) way[s * 128 + threadIdx.x] = at = next[at] & m - 1;
  unsigned sum = 0;
  for (int s = 0; s < 8; s++) sum = sum * 3 + way[s * 128 + threadIdx.x];
  y[i] = sum;
}
extern "C" __global__ void before(const unsigned *next, unsigned *y, int n, unsigned m) { walk<80>(next, y, n, m); }
extern "C" __global__ void after(const unsigned *next, unsigned *y, int n, unsigned m) { walk<8>(next, y, n, m); }
extern "C" __global__ void right(const unsigned *next, unsigned *y, int n, unsigned m) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned at = i * 2654435761u & m - 1, sum = 0;
    for (int s = 0; s < 8; s++) {
      at = next[at] & m - 1;
      sum = sum * 3 + at;
    }
    y[i] = sum;
  }
}
