__device__ int nearest(const float *p, const float *centres) {
  float least = 1e30f;
  int at = 0;
  for (int c = 0; c < 64; c++) {
    float d = 0;
    for (int k = 0; k < 16; k++) { const float e = p[k] - centres[c * 16 + k]; d += e * e; }
    if (d < least) least = d, at = c;
  }
  return at;
}
extern "C" __global__ void clusters(const float *x, const float *centres, int *y, int n) {
  __shared__ float s[1024];
  for (int k = threadIdx.x; k < 1024; k += 128) s[k] = centres[k];
  __syncthreads();
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  float p[16];
  for (int k = 0; k < 16; k++) p[k] = x[(size_t)k * n + i];
  y[i] = nearest(p, s);
}
extern "C" __global__ void right(const float *x, const float *centres, int *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { float p[16]; for (int k = 0; k < 16; k++) p[k] = x[(size_t)k * n + i]; y[i] = nearest(p, centres); }
}
