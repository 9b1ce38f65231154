extern "C" __global__ void weak(const float *__restrict__ x, float *__restrict__ y, int n) {
  const int t = blockIdx.x * 256 + threadIdx.x, all = 132 * 256;
  float s = 0;
#pragma unroll 1
  for (int i = t; i < n; i += all) s += x[i];
  y[t] = s;
}

extern "C" __global__ void mended(const float *__restrict__ x, float *__restrict__ y, int n) {
  const int t = blockIdx.x * 256 + threadIdx.x, all = 132 * 256;
  float s = 0;
#pragma unroll 1
  for (int i = t; i < n; i += 16 * all) {
    float v[16];
#pragma unroll
    for (int k = 0; k < 16; k++) v[k] = x[i + k * all];
#pragma unroll
    for (int k = 0; k < 16; k++) s += v[k];
  }
  y[t] = s;
}
