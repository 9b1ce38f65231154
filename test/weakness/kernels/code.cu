// 64 steps of four independent values written out, and 64 times as many.
#define STEP a = a * 0.9375f + 0.03125f; b = b * 0.9375f + 0.03125f; c = c * 0.9375f + 0.03125f; d = d * 0.9375f + 0.03125f;
#define FOUR(x) x x x x
#define STEPS FOUR(FOUR(STEP))
#define BEGIN                                          \
  const int i = blockIdx.x * blockDim.x + threadIdx.x; \
  if (i >= n) return;                                  \
  float a = x[i], b = a + 1, c = a + 2, d = a + 3;

extern "C" __global__ void weak(const float *__restrict__ x, float *__restrict__ y, int n) {
  BEGIN
  FOUR(FOUR(FOUR(STEPS)))
  y[i] = a + b + c + d;
}

static __device__ __forceinline__ void again(const float *x, float *y, int n) {
  BEGIN
#pragma unroll 1
  for (int k = 0; k < 64; k++) {
    STEPS
  }
  y[i] = a + b + c + d;
}

extern "C" __global__ void mended(const float *__restrict__ x, float *__restrict__ y, int n) { again(x, y, n); }
extern "C" __global__ void right(const float *x, float *y, int n) { again(x, y, n); }
