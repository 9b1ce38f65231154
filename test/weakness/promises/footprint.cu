template <int WORDS> __device__ void smooth(const float *x, float *y, int n) {
  __shared__ float s[WORDS];
  const int i = blockIdx.x * 64 + threadIdx.x;
  s[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  if (i < n) y[i] = 0.5f * s[threadIdx.x] + 0.25f * (s[(threadIdx.x + 63) % 64] + s[(threadIdx.x + 1) % 64]);
}
extern "C" __global__ void before(const float *x, float *y, int n) { smooth<12000>(x, y, n); }
extern "C" __global__ void after(const float *x, float *y, int n) { smooth<64>(x, y, n); }
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int b = i / 64 * 64, t = i % 64;
    y[i] = (float)(0.5 * x[i] + 0.25 * ((double)x[b + (t + 63) % 64] + x[b + (t + 1) % 64]));
  }
}
