template <int PAD> __device__ int place(int i) { return PAD ? i + i / 32 : i; }
template <int PAD> __device__ void stages(const float *x, float *y) {
  __shared__ float s[1024 + 32];
  const int at = blockIdx.x * 1024;
  for (int k = threadIdx.x; k < 1024; k += 256) s[place<PAD>(k)] = x[at + k];
#pragma unroll 1
  for (int stride = 32; stride >= 4; stride /= 2) {
    __syncthreads();
    float v[4];
    for (int k = 0; k < 4; k++) v[k] = s[place<PAD>((threadIdx.x * stride + threadIdx.x * 4 / (1024 / stride) + k) % 1024)];
    __syncthreads();
    for (int k = 0; k < 4; k++) s[place<PAD>(k * 256 + threadIdx.x)] = 0.5f * v[k] + 0.25f * v[(k + 1) % 4];
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 1024; k += 256) y[at + k] = s[place<PAD>(k)];
}
extern "C" __global__ void before(const float *x, float *y, int n) { stages<0>(x, y); }
extern "C" __global__ void after(const float *x, float *y, int n) { stages<1>(x, y); }
extern "C" __global__ void right(const float *x, float *y, int n) {
  __shared__ double s[1024], d[1024];
  for (int k = threadIdx.x; k < 1024; k += 256) s[k] = x[blockIdx.x * 1024 + k];
  for (int stride = 32; stride >= 4; stride /= 2) {
    __syncthreads();
    for (int m = threadIdx.x; m < 1024; m += 256) {
      const int t = m % 256, k = m / 256, first = t * stride + t * 4 / (1024 / stride);
      d[m] = 0.5 * s[(first + k) % 1024] + 0.25 * s[(first + (k + 1) % 4) % 1024];
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 1024; k += 256) s[k] = d[k];
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 1024; k += 256) y[blockIdx.x * 1024 + k] = (float)s[k];
}
