__device__ int iterations(float a, float b) {
  float x = 0, y = 0;
  int k = 0;
  for (; k < 512 && x * x + y * y < 4; k++) { const float t = x * x - y * y + a; y = 2 * x * y + b; x = t; }
  return k;
}
extern "C" __global__ void mandelbrot(int *y, int n) {
  const int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
  if (c < n && r < n) y[r * n + c] = iterations(3.0f * c / n - 2, 3.0f * r / n - 1.5f);
}
extern "C" __global__ void right(int *y, int n) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x, c = at % n, r = at / n;
  if (r < n) y[at] = iterations(3.0f * c / n - 2, 3.0f * r / n - 1.5f);
}
