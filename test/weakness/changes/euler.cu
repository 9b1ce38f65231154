__device__ float stepped(float v) { return v + 0.01f * (1 - v * v); }
extern "C" __global__ void step(float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = stepped(y[i]);
}
extern "C" __global__ void after(float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float v = y[i];
  for (int k = 0; k < 5; k++) v = stepped(v);
  y[i] = v;
}
extern "C" __global__ void right(float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double v = y[i];
    for (int k = 0; k < 5; k++) v += 0.01 * (1 - v * v);
    y[i] = (float)v;
  }
}
