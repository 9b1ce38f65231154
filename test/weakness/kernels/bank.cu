// A transpose by tiles of 32 rows of 32 words, or of 33.
template <int PITCH> static __device__ void transpose(const float *x, float *y, int n) {
  __shared__ float tile[32][PITCH];
  const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) tile[threadIdx.y + i][threadIdx.x] = x[(size_t)(row + i) * n + column];
  __syncthreads();
  const int to = blockIdx.y * 32 + threadIdx.x, line = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) y[(size_t)(line + i) * n + to] = tile[threadIdx.x][threadIdx.y + i];
}

extern "C" __global__ void __launch_bounds__(256) weak(const float *__restrict__ x, float *__restrict__ y, int n) { transpose<32>(x, y, n); }
extern "C" __global__ void __launch_bounds__(256) mended(const float *__restrict__ x, float *__restrict__ y, int n) { transpose<33>(x, y, n); }

extern "C" __global__ void right(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n * n) y[i] = x[(size_t)(i % n) * n + i / n];
}
