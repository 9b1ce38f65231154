extern "C" __global__ void before(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n && x[i] > 0.75f) atomicAdd(y, 0.5f);
}
extern "C" __global__ void after(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  const int found = __syncthreads_count(i < n && x[i] > 0.75f);
  if (threadIdx.x == 0) atomicAdd(y, 0.5f * found);
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  __shared__ int s;
  if (threadIdx.x == 0) s = 0;
  __syncthreads();
  int found = 0;
  for (int i = threadIdx.x; i < n; i += 1024) found += x[i] > 0.75f;
  atomicAdd(&s, found);
  __syncthreads();
  if (threadIdx.x == 0) y[0] = 0.5f * s;
}
