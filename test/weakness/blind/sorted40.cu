__device__ void sorted(const int *x, int *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  int v[40];
#pragma unroll
  for (int k = 0; k < 40; k++) v[k] = x[k * n + i];
#pragma unroll 1
  for (int round = 0; round < 20; round++) {
#pragma unroll
    for (int k = 0; k < 39; k++) {
      const int j = k < 20 ? 2 * k : 2 * (k - 20) + 1, a = v[j];
      v[j] = min(a, v[j + 1]);
      v[j + 1] = max(a, v[j + 1]);
    }
  }
#pragma unroll
  for (int k = 0; k < 40; k++) y[k * n + i] = v[k];
}
extern "C" __global__ void __launch_bounds__(256, 8) before(const int *x, int *y, int n) { sorted(x, y, n); }
extern "C" __global__ void __launch_bounds__(256, 3) after(const int *x, int *y, int n) { sorted(x, y, n); }
extern "C" __global__ void right(const int *x, int *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) for (int k = 0; k < 40; k++) {
    int less = 0;
    for (int j = 0; j < 40; j++) less += x[j * n + i] < x[k * n + i] || (j < k && x[j * n + i] == x[k * n + i]);
    y[less * n + i] = x[k * n + i];
  }
}
