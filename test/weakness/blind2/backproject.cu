// A picture of the ground by echoes of 512 places of an antenna, 2048 samples each: every pixel adds up the sample of each echo at its distance.
#define PLACES 512
#define SAMPLES 2048
template <class T> __device__ T distance_of(const float *px, const float *py, int k, int x, int y) {
  const T dx = x * (T)0.4 - px[k], dy = y * (T)0.4 - py[k];
  return sqrt(dx * dx + dy * dy) * 12;
}
template <int AHEAD> __device__ void projected(const float *echo, const float *px, const float *py, float *image, int w, int h) {
  const int p = blockIdx.x * 128 + threadIdx.x;
  if (p >= w * h) return;
  const int x = p % w, y = p / w;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < PLACES; k += AHEAD) {
    float part[AHEAD], a[AHEAD], b[AHEAD];
#pragma unroll
    for (int j = 0; j < AHEAD; j++) {
      const float u = distance_of<float>(px, py, k + j, x, y);
      const int i = (int)u;
      part[j] = u - i;
      a[j] = echo[(k + j) * SAMPLES + i];
      b[j] = echo[(k + j) * SAMPLES + i + 1];
    }
#pragma unroll
    for (int j = 0; j < AHEAD; j++) sum += a[j] + part[j] * (b[j] - a[j]);
  }
  image[p] = sum;
}
extern "C" __global__ void before(const float *echo, const float *px, const float *py, float *image, int w, int h) { projected<1>(echo, px, py, image, w, h); }
extern "C" __global__ void after(const float *echo, const float *px, const float *py, float *image, int w, int h) { projected<8>(echo, px, py, image, w, h); }
extern "C" __global__ void right(const float *echo, const float *px, const float *py, float *image, int w, int h) {
  for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < w * h; p += gridDim.x * blockDim.x) {
    double sum = 0;
    for (int k = 0; k < PLACES; k++) {
      const double u = distance_of<double>(px, py, k, p % w, p / w), part = u - (int)u;
      sum += (1 - part) * echo[k * SAMPLES + (int)u] + part * echo[k * SAMPLES + (int)u + 1];
    }
    image[p] = (float)sum;
  }
}
