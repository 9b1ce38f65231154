// Which of the 7 x 7 pixels about each are darker than it; the picture has an edge of three pixels.
extern "C" __global__ void before(const unsigned char *picture, unsigned long long *bits, int w, int h) {
  const int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  if (x >= w || y >= h) return;
  const unsigned char *p = picture + (size_t)y * (w + 6) + x;
  const int own = p[3 * (w + 6) + 3];
  unsigned long long darker = 0;
#pragma unroll 1
  for (int i = 0; i < 7; i++)
#pragma unroll 1
    for (int j = 0; j < 7; j++) darker = darker << 1 | (p[i * (w + 6) + j] < own);
  bits[(size_t)y * w + x] = darker;
}
extern "C" __global__ void after(const unsigned char *picture, unsigned long long *bits, int w, int h) {
  const int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  if (x >= w || y >= h) return;
  const unsigned char *p = picture + (size_t)y * (w + 6) + x;
  const int own = p[3 * (w + 6) + 3];
  unsigned long long darker = 0;
#pragma unroll
  for (int i = 0; i < 7; i++)
#pragma unroll
    for (int j = 0; j < 7; j++) darker = darker << 1 | (p[i * (w + 6) + j] < own);
  bits[(size_t)y * w + x] = darker;
}
extern "C" __global__ void right(const unsigned char *picture, unsigned long long *bits, int w, int h) {
  for (int q = blockIdx.x * blockDim.x + threadIdx.x; q < w * h; q += gridDim.x * blockDim.x) {
    unsigned long long darker = 0;
    for (int k = 0; k < 49; k++)
      if (picture[(size_t)(q / w + k / 7) * (w + 6) + q % w + k % 7] < picture[(size_t)(q / w + 3) * (w + 6) + q % w + 3]) darker |= 1ull << (48 - k);
    bits[q] = darker;
  }
}
