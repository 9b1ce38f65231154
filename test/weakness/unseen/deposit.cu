extern "C" __global__ void deposit(const unsigned *p, const float *w, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) atomicAdd(&y[p[i] % (n / 4)], w[i]);
}
extern "C" __global__ void clear(unsigned long long *s, int n) {
  for (int b = blockIdx.x * blockDim.x + threadIdx.x; b < n / 4; b += gridDim.x * blockDim.x) s[b] = 0;
}
extern "C" __global__ void sum(const unsigned *p, const float *w, unsigned long long *s, int n) { // of 2^-40, exact enough for any order
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&s[p[i] % (n / 4)], (unsigned long long)((double)w[i] * 1099511627776.0));
}
extern "C" __global__ void right(const unsigned long long *s, float *y, int n) {
  for (int b = blockIdx.x * blockDim.x + threadIdx.x; b < n / 4; b += gridDim.x * blockDim.x) y[b] = (float)((double)s[b] / 1099511627776.0);
}
