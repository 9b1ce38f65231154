template <int AHEAD> __device__ void summed(const int *x, int *y, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < 64; k += AHEAD) {
    int v[AHEAD];
#pragma unroll
    for (int j = 0; j < AHEAD; j++) v[j] = x[(size_t)(k + j) * n + i];
#pragma unroll
    for (int j = 0; j < AHEAD; j++) sum = sum * 3 + v[j];
    if (sum == 123456789) sum++;
  }
  y[i] = sum;
}
extern "C" __global__ void before(const int *x, int *y, int n) { summed<1>(x, y, n); }
extern "C" __global__ void after(const int *x, int *y, int n) { summed<8>(x, y, n); }
extern "C" __global__ void right(const int *x, int *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int sum = 0;
    for (int k = 0; k < 64; k++) sum = sum * 3 + x[(size_t)k * n + i];
    y[i] = sum;
  }
}
