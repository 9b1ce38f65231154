// Eight voices, each at its own step through one wave of 1024 numbers.
__constant__ float wave[1024];
__device__ float sounding(const float *table, const unsigned *step, const float *gain, unsigned i) {
  float sum = 0;
#pragma unroll
  for (int v = 0; v < 8; v++) sum += gain[v] * table[i * step[v] >> 22];
  return sum;
}
extern "C" __global__ void before(const unsigned *step, const float *gain, float *y, int n) {
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) y[i] = sounding(wave, step, gain, i);
}
extern "C" __global__ void after(const unsigned *step, const float *gain, float *y, int n) {
  __shared__ float s[1024];
  for (int k = threadIdx.x; k < 1024; k += 256) s[k] = wave[k];
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) y[i] = sounding(s, step, gain, i);
}
extern "C" __global__ void right(const unsigned *step, const float *gain, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double sum = 0;
    for (int v = 0; v < 8; v++) sum += (double)gain[v] * wave[i * step[v] >> 22];
    y[i] = (float)sum;
  }
}
