// A volume at twice its resolution, the nearest of each; INDEX is what places are computed in.
template <class INDEX> __device__ void doubled(const float *x, float *y, int w, int h, int d) {
  const INDEX i = (INDEX)blockIdx.x * 256 + threadIdx.x;
  if (i >= (INDEX)w * h * d) return;
  const INDEX column = i % w, row = i / w % h, plane = i / w / h, wide = (w + 1) / 2, high = (h + 1) / 2;
  y[i] = x[(plane / 2 * high + row / 2) * wide + column / 2];
}
extern "C" __global__ void before(const float *x, float *y, int w, int h, int d) { doubled<long long>(x, y, w, h, d); }
extern "C" __global__ void after(const float *x, float *y, int w, int h, int d) { doubled<int>(x, y, w, h, d); }
extern "C" __global__ void right(const float *x, float *y, int w, int h, int d) { // a thread a row
  for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < h * d; r += gridDim.x * blockDim.x)
    for (int c = 0; c < w; c++) y[(size_t)r * w + c] = x[((size_t)(r / h / 2) * ((h + 1) / 2) + r % h / 2) * ((w + 1) / 2) + c / 2];
}
