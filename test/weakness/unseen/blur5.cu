extern "C" __global__ void blur5(const float *x, float *y, int n) {
  __shared__ float tile[12][36];
  const int c = blockIdx.x * 32, r = blockIdx.y * 8;
  for (int k = threadIdx.y * 32 + threadIdx.x; k < 12 * 36; k += 256) tile[k / 36][k % 36] = x[(size_t)(r + k / 36) * (n + 4) + c + k % 36];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int u = 0; u < 5; u++)
#pragma unroll
    for (int v = 0; v < 5; v++) sum += tile[threadIdx.y + u][threadIdx.x + v] * ((u == 2) + 1) * ((v == 2) + 1);
  y[(size_t)(r + threadIdx.y) * n + c + threadIdx.x] = sum / 36;
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  const size_t at = blockIdx.x * blockDim.x + threadIdx.x, r = at / n, c = at % n;
  if (r >= n) return;
  double sum = 0;
  for (int u = 0; u < 5; u++)
    for (int v = 0; v < 5; v++) sum += x[(r + u) * (n + 4) + c + v] * (u == 2 ? 2. : 1) * (v == 2 ? 2 : 1);
  y[at] = sum / 36;
}
