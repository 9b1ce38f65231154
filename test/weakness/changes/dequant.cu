__constant__ float levels[256] = {
#define EIGHT(k) (k) * 0.5f, (k) + 0.25f, (k) * -0.125f, 2 - (k) * 0.5f, (k) * 3.0f, (k) - 7.5f, 0.0625f * (k), 1.5f - (k)
#define ALL(k) EIGHT(k), EIGHT(k + 1), EIGHT(k + 2), EIGHT(k + 3), EIGHT(k + 4), EIGHT(k + 5), EIGHT(k + 6), EIGHT(k + 7)
    ALL(1), ALL(9), ALL(17), ALL(25)};
extern "C" __global__ void before(const unsigned char *x, const float *scale, float *y, int n) {
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) y[i] = levels[x[i]] * scale[i / 256];
}
extern "C" __global__ void after(const unsigned char *x, const float *scale, float *y, int n) {
  __shared__ float s[256];
  s[threadIdx.x] = levels[threadIdx.x];
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) y[i] = s[x[i]] * scale[i / 256];
}
extern "C" __global__ void right(const unsigned char *x, const float *scale, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = (float)((double)levels[x[i]] * scale[i / 256]);
}
