#ifdef BENCH_SIM
#define HOLD(v)
#else
#define HOLD(v) asm volatile("" : "+f"(v)) // else a compiler makes them after the loads too
#endif
template <bool FIRST> __device__ void held(const unsigned *p, const float *x, float *y, int n) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  float t[96], sum = 0;
  if (FIRST) {
#pragma unroll
    for (int k = 0; k < 96; k++) {
      t[k] = v * (0.5f + k);
      HOLD(t[k]);
    }
  }
  unsigned at = i;
#pragma unroll 1
  for (int k = 0; k < 16; k++) at = p[at] % n;
  if (!FIRST) {
#pragma unroll
    for (int k = 0; k < 96; k++) t[k] = v * (0.5f + k);
  }
#pragma unroll
  for (int k = 0; k < 96; k++) sum = sum * 0.5f + t[k];
  y[i] = sum + x[at];
}
extern "C" __global__ void before(const unsigned *p, const float *x, float *y, int n) { held<true>(p, x, y, n); }
extern "C" __global__ void after(const unsigned *p, const float *x, float *y, int n) { held<false>(p, x, y, n); }
extern "C" __global__ void right(const unsigned *p, const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned at = i;
    for (int k = 0; k < 16; k++) at = p[at] % n;
    double sum = 0;
    for (int k = 0; k < 96; k++) sum = sum * 0.5 + (double)x[i] * (0.5 + k);
    y[i] = (float)(sum + x[at]);
  }
}
