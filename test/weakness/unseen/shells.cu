extern "C" __global__ void shells(const float *x, float *y, int n) {
  __shared__ float own[8][64];
  const int w = threadIdx.x / 32, lane = threadIdx.x % 32;
  own[w][lane] = own[w][lane + 32] = 0;
  __syncwarp();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&own[w][(int)(x[i] * 64)], x[i] * x[i]);
  __syncthreads();
  if (threadIdx.x < 64) {
    float sum = 0;
    for (int k = 0; k < 8; k++) sum += own[k][threadIdx.x];
    atomicAdd(&y[threadIdx.x], sum);
  }
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  __shared__ double s[256];
  double sum = 0;
  for (int i = threadIdx.x; i < n; i += 256) if ((int)(x[i] * 64) == blockIdx.x) sum += (double)x[i] * x[i];
  s[threadIdx.x] = sum;
  for (int d = 128; d; d /= 2) {
    __syncthreads();
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
  }
  if (threadIdx.x == 0) y[blockIdx.x] = (float)s[0];
}
