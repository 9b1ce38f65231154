__device__ int place(const int *table, int m, int v) {
  int low = 0, high = m;
  while (low < high) {
    const int mid = (low + high) / 2;
    if (table[mid] < v) low = mid + 1; else high = mid;
  }
  return low;
}
extern "C" __global__ void search(const int *x, const int *table, int *y, int n, int m) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = place(table, m, x[i]);
}
extern "C" __global__ void fill(int *table, int m) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < m) table[i] = 2 * i;
}
extern "C" __global__ void right(const int *x, const int *table, int *y, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { const int v = x[i]; y[i] = v <= 0 ? 0 : v > 2 * (m - 1) ? m : (v + 1) / 2; }
}
