extern "C" __global__ void global_(const unsigned char *x, unsigned *h, int n) {
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&h[x[i]], 1u);
}
extern "C" __global__ void shared_(const unsigned char *x, unsigned *h, int n) {
  __shared__ unsigned s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&s[x[i]], 1u);
  __syncthreads();
  atomicAdd(&h[threadIdx.x], s[threadIdx.x]);
}
extern "C" __global__ void right(const unsigned char *x, unsigned *h, int n) {
  const int bin = threadIdx.x;
  unsigned c = 0;
  for (int i = blockIdx.x; i < n; i += gridDim.x) c += x[i] == bin;
  atomicAdd(&h[bin], c);
}
