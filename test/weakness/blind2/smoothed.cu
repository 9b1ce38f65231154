extern "C" __global__ void before(const float *x, float *y, float a, int rows, int columns) { // a thread a row
  const int r = blockIdx.x * 128 + threadIdx.x;
  if (r >= rows) return;
  float v = 0;
  for (int c = 0; c < columns; c++) {
    v += a * (x[(size_t)r * columns + c] - v);
    y[(size_t)r * columns + c] = v;
  }
}
extern "C" __global__ void after(const float *x, float *y, float a, int rows, int columns) { // by tiles of 32 columns, a warp 32 rows
  __shared__ float tiles[4][32][33];
  float(*s)[33] = tiles[threadIdx.x / 32];
  const int lane = threadIdx.x % 32, first = blockIdx.x * 128 + threadIdx.x / 32 * 32;
  const int high = min(32, rows - first);
  float v = 0;
  for (int c = 0; c < columns; c += 32) {
    const int wide = min(32, columns - c);
    if (lane < wide)
      for (int k = 0; k < high; k++) s[k][lane] = x[(size_t)(first + k) * columns + c + lane];
    __syncwarp();
    if (lane < high)
      for (int k = 0; k < wide; k++) {
        v += a * (s[lane][k] - v);
        s[lane][k] = v;
      }
    __syncwarp();
    if (lane < wide)
      for (int k = 0; k < high; k++) y[(size_t)(first + k) * columns + c + lane] = s[k][lane];
    __syncwarp();
  }
}
extern "C" __global__ void right(const float *x, float *y, float a, int rows, int columns) {
  for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < rows; r += gridDim.x * blockDim.x) {
    double v = 0;
    for (int c = 0; c < columns; c++) y[(size_t)r * columns + c] = (float)(v += a * (x[(size_t)r * columns + c] - v));
  }
}
