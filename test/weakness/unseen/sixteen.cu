extern "C" __global__ void sixteen(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) atomicAdd(&y[i / 7 % 16], x[i]);
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  __shared__ double s[256];
  double sum = 0;
  for (int i = threadIdx.x; i < n; i += 256) if (i / 7 % 16 == blockIdx.x) sum += x[i];
  s[threadIdx.x] = sum;
  for (int d = 128; d; d /= 2) {
    __syncthreads();
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
  }
  if (threadIdx.x == 0) y[blockIdx.x] = (float)s[0];
}
