// What 32 shifts of a row cost each pixel, and then the shift that costs least over five pixels. Costs are whole numbers that halves hold.
__device__ int differing(const unsigned char *left, const unsigned char *right, int x, int d) {
  return abs(left[x] - right[max(x - d, 0)]);
}
extern "C" __global__ void costs(const unsigned char *left, const unsigned char *right, float *cost, int w, int h) {
  const int p = blockIdx.x * 256 + threadIdx.x, n = w * h;
  if (p >= n) return;
  const int x = p % w, row = p - x;
#pragma unroll 4
  for (int d = 0; d < 32; d++) cost[(size_t)d * n + p] = differing(left + row, right + row, x, d);
}
extern "C" __global__ void before(const float *cost, unsigned char *shift, int w, int h) {
  const int p = blockIdx.x * 256 + threadIdx.x, n = w * h;
  if (p >= n) return;
  const int x = p % w;
  float least = 1e9f;
  int best = 0;
#pragma unroll 4
  for (int d = 0; d < 32; d++) {
    const float *c = cost + (size_t)d * n + p;
    float sum = 0;
#pragma unroll
    for (int k = -2; k <= 2; k++)
      if (x + k >= 0 && x + k < w) sum += c[k];
    if (sum < least) {
      least = sum;
      best = d;
    }
  }
  shift[p] = best;
}
__device__ unsigned halves(float low, float high) {
  unsigned u;
  asm("{ .reg .b16 a, b; cvt.rn.f16.f32 a, %1; cvt.rn.f16.f32 b, %2; mov.b32 %0, {a, b}; }" : "=r"(u) : "f"(low), "f"(high));
  return u;
}
__device__ float2 floats(unsigned u) {
  float2 f;
  asm("{ .reg .b16 a, b; mov.b32 {a, b}, %2; cvt.f32.f16 %0, a; cvt.f32.f16 %1, b; }" : "=f"(f.x), "=f"(f.y) : "r"(u));
  return f;
}
extern "C" __global__ void halfcosts(const unsigned char *left, const unsigned char *right, unsigned *cost, int w, int h) {
  const int t = blockIdx.x * 256 + threadIdx.x, p = 2 * t, n = w * h;
  if (p >= n) return;
  const int x = p % w, row = p - x;
#pragma unroll 4
  for (int d = 0; d < 32; d++)
    cost[(size_t)d * (n / 2) + t] = halves(differing(left + row, right + row, x, d), differing(left + row, right + row, x + 1, d));
}
extern "C" __global__ void after(const unsigned *cost, unsigned char *shift, int w, int h) {
  const int t = blockIdx.x * 256 + threadIdx.x, p = 2 * t, n = w * h;
  if (p >= n) return;
  const int x = p % w;
  float least0 = 1e9f, least1 = 1e9f;
  int best0 = 0, best1 = 0;
#pragma unroll 4
  for (int d = 0; d < 32; d++) {
    const unsigned *c = cost + (size_t)d * (n / 2) + t;
    const float2 a = floats(x > 0 ? c[-1] : 0), b = floats(c[0]), e = floats(x + 2 < w ? c[1] : 0);
    const float both = a.y + b.x + b.y + e.x;
    if (a.x + both < least0) {
      least0 = a.x + both;
      best0 = d;
    }
    if (both + e.y < least1) {
      least1 = both + e.y;
      best1 = d;
    }
  }
  ((uchar2 *)shift)[t] = make_uchar2(best0, best1);
}
extern "C" __global__ void right(const unsigned char *left, const unsigned char *right, unsigned char *shift, int w, int h) {
  for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < w * h; p += gridDim.x * blockDim.x) {
    const int x = p % w;
    int least = 1 << 30;
    for (int d = 0; d < 32; d++) {
      int sum = 0;
      for (int k = max(x - 2, 0); k <= min(x + 2, w - 1); k++) {
        const int e = left[p - x + k] - right[p - x + (k > d ? k - d : 0)];
        sum += e < 0 ? -e : e;
      }
      if (sum < least) {
        least = sum;
        shift[p] = d;
      }
    }
  }
}
