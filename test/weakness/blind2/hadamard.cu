// 512 numbers by 64 threads, three times eight by eight; a block has four such.
template <bool PADDED> __device__ int place(int i) { return PADDED ? i + i / 8 : i; }
__device__ void eight(float *v) {
#pragma unroll
  for (int d = 1; d < 8; d *= 2)
#pragma unroll
    for (int k = 0; k < 8; k++)
      if (!(k & d)) {
        const float a = v[k], b = v[k + d];
        v[k] = a + b;
        v[k + d] = a - b;
      }
}
template <bool PADDED> __device__ void transformed(const float *x, float *y, int n) {
  __shared__ float all[4][PADDED ? 576 : 512];
  float *s = all[threadIdx.x / 64], v[8];
  const int t = threadIdx.x % 64, which = blockIdx.x * 4 + threadIdx.x / 64, b = t % 8 + t / 8 * 64;
#pragma unroll
  for (int k = 0; k < 8; k++) v[k] = which < n ? x[(size_t)which * 512 + t + 64 * k] : 0;
  eight(v);
#pragma unroll
  for (int k = 0; k < 8; k++) s[place<PADDED>(t + 64 * k)] = v[k];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 8; k++) v[k] = s[place<PADDED>(b + 8 * k)];
  eight(v);
#pragma unroll
  for (int k = 0; k < 8; k++) s[place<PADDED>(b + 8 * k)] = v[k];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 8; k++) v[k] = s[place<PADDED>(8 * t + k)];
  eight(v);
  if (which >= n) return;
  float4 *to = (float4 *)(y + (size_t)which * 512) + 2 * t;
  to[0] = make_float4(v[0], v[1], v[2], v[3]);
  to[1] = make_float4(v[4], v[5], v[6], v[7]);
}
extern "C" __global__ void before(const float *x, float *y, int n) { transformed<false>(x, y, n); }
extern "C" __global__ void after(const float *x, float *y, int n) { transformed<true>(x, y, n); }
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < n * 512; p += gridDim.x * blockDim.x) {
    double sum = 0;
    for (int k = 0; k < 512; k++) {
      const double v = x[p / 512 * 512 + k];
      sum += __popc(p & k & 511) & 1 ? -v : v;
    }
    y[p] = (float)sum;
  }
}
