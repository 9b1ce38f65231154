__device__ void order(int &a, int &b) {
  const int c = min(a, b);
  b = max(a, b), a = c;
}
extern "C" __global__ void median(const unsigned char *x, unsigned char *y, int n) {
  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
  int v[9];
#pragma unroll
  for (int k = 0; k < 9; k++) v[k] = x[(size_t)(r + k / 3) * (n + 2) + c + k % 3];
#pragma unroll
  for (int p = 0; p < 5; p++)
#pragma unroll
    for (int k = 0; k < 8 - p; k++) order(v[k], v[k + 1]);
  y[(size_t)r * n + c] = v[4];
}
extern "C" __global__ void right(const unsigned char *x, unsigned char *y, int n) {
  const size_t at = blockIdx.x * blockDim.x + threadIdx.x, r = at / n, c = at % n;
  if (r >= n) return;
  for (int k = 0; k < 9; k++) {
    const int v = x[(r + k / 3) * (n + 2) + c + k % 3];
    int less = 0, same = 0;
    for (int j = 0; j < 9; j++) {
      const int u = x[(r + j / 3) * (n + 2) + c + j % 3];
      less += u < v, same += u == v;
    }
    if (less <= 4 && less + same > 4) y[at] = v;
  }
}
