// Factors L and U of matrices of 32 x 32 with a large diagonal, each by a warp in shared memory, a lane a row.
__device__ void load(float (*m)[33], const float *x, int lane) {
  for (int r = 0; r < 32; r++) m[r][lane] = x[r * 32 + lane] + (r == lane ? 40 : 0);
  __syncwarp();
}
__device__ void store(float (*m)[33], float *y, int lane) {
  for (int r = 0; r < 32; r++) y[r * 32 + lane] = m[r][lane];
}
extern "C" __global__ void before(const float *x, float *y, int n) {
  __shared__ float s[4][32][33];
  float(*m)[33] = s[threadIdx.x / 32];
  const int lane = threadIdx.x % 32, which = blockIdx.x * 4 + threadIdx.x / 32;
  if (which >= n) return;
  load(m, x + (size_t)which * 1024, lane);
#pragma unroll 1
  for (int k = 0; k < 31; k++) {
    if (lane > k) {
      for (int j = k + 1; j < 32; j++) m[lane][j] -= m[lane][k] / m[k][k] * m[k][j];
      m[lane][k] /= m[k][k];
    }
    __syncwarp();
  }
  store(m, y + (size_t)which * 1024, lane);
}
extern "C" __global__ void after(const float *x, float *y, int n) {
  __shared__ float s[4][32][33];
  float(*m)[33] = s[threadIdx.x / 32];
  const int lane = threadIdx.x % 32, which = blockIdx.x * 4 + threadIdx.x / 32;
  if (which >= n) return;
  load(m, x + (size_t)which * 1024, lane);
#pragma unroll 1
  for (int k = 0; k < 31; k++) {
    if (lane > k) {
      const float f = m[lane][k] / m[k][k];
      for (int j = k + 1; j < 32; j++) m[lane][j] -= f * m[k][j];
      m[lane][k] = f;
    }
    __syncwarp();
  }
  store(m, y + (size_t)which * 1024, lane);
}
extern "C" __global__ void right(const float *x, float *y, int n) { // by columns (Crout), a block of one warp a matrix
  __shared__ double m[32][33];
  const int lane = threadIdx.x;
  for (int r = 0; r < 32; r++) m[r][lane] = x[(size_t)blockIdx.x * 1024 + r * 32 + lane] + (r == lane ? 40.0 : 0.0);
  __syncwarp();
  for (int k = 0; k < 32; k++) {
    double sum = 0;
    if (lane >= k) { // row k of U
      for (int j = 0; j < k; j++) sum += m[k][j] * m[j][lane];
      m[k][lane] -= sum;
    }
    __syncwarp();
    if (lane > k) { // column k of L
      sum = 0;
      for (int j = 0; j < k; j++) sum += m[lane][j] * m[j][k];
      m[lane][k] = (m[lane][k] - sum) / m[k][k];
    }
    __syncwarp();
  }
  for (int r = 0; r < 32; r++) y[(size_t)blockIdx.x * 1024 + r * 32 + lane] = (float)m[r][lane];
}
