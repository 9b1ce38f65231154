#ifdef BENCH_SIM
#define __fdividef(a, b) ((a) / (b))
#endif

extern "C" __global__ void weak(const float *__restrict__ x, float *__restrict__ y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i], s = v;
#pragma unroll 1
  for (int r = 0; r < 32; r++) {
    s = v / (s + 1) + sqrtf(s);
    v = 1 / s + 0.5f;
  }
  y[i] = s;
}

extern "C" __global__ void mended(const float *__restrict__ x, float *__restrict__ y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i], s = v;
#pragma unroll 1
  for (int r = 0; r < 32; r++) {
    s = __fdividef(v, s + 1) + s * rsqrtf(s);
    v = __fdividef(1.0f, s) + 0.5f;
  }
  y[i] = s;
}
