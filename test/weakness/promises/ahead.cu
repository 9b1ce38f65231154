extern "C" __global__ void before(const float *x, float *y, int n) {
  const int all = gridDim.x * 128, t = blockIdx.x * 128 + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int i = t; i < n; i += all) sum += x[i];
  atomicAdd(&y[0], sum);
}
extern "C" __global__ void after(const float *x, float *y, int n) {
  const int all = gridDim.x * 128, t = blockIdx.x * 128 + threadIdx.x;
  float sum = 0;
  int i = t;
#pragma unroll 1
  for (; i + 7 * all < n; i += 8 * all) {
    float v[8];
#pragma unroll
    for (int k = 0; k < 8; k++) v[k] = x[i + k * all];
#pragma unroll
    for (int k = 0; k < 8; k++) sum += v[k];
  }
#pragma unroll 1
  for (; i < n; i += all) sum += x[i];
  atomicAdd(&y[0], sum);
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  __shared__ double s[1024];
  double sum = 0;
  for (int i = threadIdx.x; i < n; i += 1024) sum += x[i];
  s[threadIdx.x] = sum;
  for (int d = 512; d; d /= 2) {
    __syncthreads();
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
  }
  if (threadIdx.x == 0) y[0] = (float)s[0];
}
