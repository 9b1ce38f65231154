static __device__ __forceinline__ float at(float f) { return f; }

extern "C" __global__ void weak(const float *__restrict__ x, float *__restrict__ y, int n) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  const float v = x[i];
  float s = 0, f = 0;
#pragma unroll 8
  for (int r = 0; r < 4096; r++) {
    s = v * at(f) + s;
    f += 0.0009765625f;
  }
  y[i] = s;
}

// Four sums, and numbers that do not wait for each other.
extern "C" __global__ void mended(const float *__restrict__ x, float *__restrict__ y, int n) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  const float v = x[i], step = 0.0009765625f;
  float s[4] = {0, 0, 0, 0}, f[4] = {0, step, 2 * step, 3 * step};
#pragma unroll 2
  for (int r = 0; r < 1024; r++) {
#pragma unroll
    for (int k = 0; k < 4; k++) {
      s[k] = v * at(f[k]) + s[k];
      f[k] += 4 * step;
    }
  }
  y[i] = s[0] + s[1] + s[2] + s[3];
}

extern "C" __global__ void right(const float *x, float *y, int n) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  double s = 0;
  for (int r = 0; r < 4096; r++) s += (double)x[i] * r * 0.0009765625;
  y[i] = (float)s;
}
