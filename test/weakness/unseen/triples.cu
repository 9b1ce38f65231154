extern "C" __global__ void triples(const float3 *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float3 v = x[i];
  y[i] = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += (double)x[3 * i + k] * x[3 * i + k];
    y[i] = (float)sqrt(sum);
  }
}
