__device__ int degree(int v) { return v % 64 == 5 ? 1024 : 8 + v % 24; }
__device__ int neighbour(int v, int k, int n) { return (int)((v * 2654435761u + k * 40503u >> 3) % n); }
extern "C" __global__ void graph(const float *x, float *y, int n) {
  const int v = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (v >= n) return;
  float sum = 0;
  for (int k = lane; k < degree(v); k += 32) sum += x[neighbour(v, k, n)];
  for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
  if (lane == 0) y[v] = sum;
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x) {
    double sum = 0;
    for (int k = 0; k < degree(v); k++) sum += x[neighbour(v, k, n)];
    y[v] = (float)sum;
  }
}
