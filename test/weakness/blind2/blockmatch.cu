// Block (x, y) is a block of 16 x 16 pixels; its threads are the 16 x 16 ways that it may have moved.
extern "C" __global__ void before(const unsigned char *now, const unsigned char *then, int *sad, int w) {
  const unsigned char *a = now + (size_t)blockIdx.y * 16 * 16 * w + blockIdx.x * 16;
  const unsigned char *b = then + (size_t)(blockIdx.y * 16 + threadIdx.y) * (16 * w + 16) + blockIdx.x * 16 + threadIdx.x;
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < 16; i++)
#pragma unroll
    for (int j = 0; j < 16; j++) sum += abs(a[i * 16 * w + j] - b[i * (16 * w + 16) + j]);
  sad[(blockIdx.y * w + blockIdx.x) * 256 + threadIdx.y * 16 + threadIdx.x] = sum;
}
extern "C" __global__ void after(const unsigned char *now, const unsigned char *then, int *sad, int w) {
  __shared__ unsigned char a[16][16], b[32][32];
  const int x = threadIdx.x, y = threadIdx.y;
  a[y][x] = now[(size_t)(blockIdx.y * 16 + y) * 16 * w + blockIdx.x * 16 + x];
  for (int i = y; i < 32; i += 16)
    for (int j = x; j < 32; j += 16) b[i][j] = then[(size_t)(blockIdx.y * 16 + i) * (16 * w + 16) + blockIdx.x * 16 + j];
  __syncthreads();
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < 16; i++)
#pragma unroll
    for (int j = 0; j < 16; j++) sum += abs(a[i][j] - b[y + i][x + j]);
  sad[(blockIdx.y * w + blockIdx.x) * 256 + y * 16 + x] = sum;
}
extern "C" __global__ void right(const unsigned char *now, const unsigned char *then, int *sad, int w, int h) {
  for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < w * h * 256; p += gridDim.x * blockDim.x) {
    const int x = p / 256 % w * 16, y = p / 256 / w * 16, dx = p % 16, dy = p / 16 % 16;
    int sum = 0;
    for (int k = 0; k < 256; k++) {
      const int d = now[(size_t)(y + k / 16) * 16 * w + x + k % 16] - then[(size_t)(y + dy + k / 16) * (16 * w + 16) + x + dx + k % 16];
      sum += d < 0 ? -d : d;
    }
    sad[p] = sum;
  }
}
