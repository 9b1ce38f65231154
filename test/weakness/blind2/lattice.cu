// Gas on a lattice: nine distributions of each cell in equilibrium, then what streams from its neighbours into each. The nine of a cell lie together or in planes.
__device__ float distribution(int q, float rho, float u, float v) {
  const float cx = q % 3 - 1, cy = q / 3 - 1, along = 3 * (cx * u + cy * v);
  const float weight = (q % 3 == 1 ? 2 / 3.0f : 1 / 6.0f) * (q / 3 == 1 ? 2 / 3.0f : 1 / 6.0f);
  return weight * rho * (1 + along + along * along / 2 - 1.5f * (u * u + v * v));
}
template <bool PLANES> __device__ size_t place(int q, int i, int n) { return PLANES ? (size_t)q * n + i : (size_t)i * 9 + q; }
template <bool PLANES> __device__ void balanced(const float *rho, const float *u, const float *v, float *f, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float r = rho[i], a = u[i], b = v[i];
#pragma unroll
  for (int q = 0; q < 9; q++) f[place<PLANES>(q, i, n)] = distribution(q, r, a, b);
}
template <bool PLANES> __device__ void streamed(const float *f, float *rho, float *u, float *v, int w, int h) {
  const int i = blockIdx.x * 256 + threadIdx.x, n = w * h;
  if (i >= n) return;
  const int x = i % w, y = i / w, west = x ? x - 1 : w - 1, east = x + 1 < w ? x + 1 : 0, north = y ? y - 1 : h - 1, south = y + 1 < h ? y + 1 : 0;
  float r = 0, a = 0, b = 0;
#pragma unroll
  for (int q = 0; q < 9; q++) {
    const int from = (q / 3 == 0 ? south : q / 3 == 1 ? y : north) * w + (q % 3 == 0 ? east : q % 3 == 1 ? x : west);
    const float s = f[place<PLANES>(q, from, n)];
    r += s;
    a += (q % 3 - 1) * s;
    b += (q / 3 - 1) * s;
  }
  rho[i] = r;
  u[i] = a / r;
  v[i] = b / r;
}
extern "C" __global__ void together(const float *rho, const float *u, const float *v, float *f, int n) { balanced<false>(rho, u, v, f, n); }
extern "C" __global__ void before(const float *f, float *rho, float *u, float *v, int w, int h) { streamed<false>(f, rho, u, v, w, h); }
extern "C" __global__ void planes(const float *rho, const float *u, const float *v, float *f, int n) { balanced<true>(rho, u, v, f, n); }
extern "C" __global__ void after(const float *f, float *rho, float *u, float *v, int w, int h) { streamed<true>(f, rho, u, v, w, h); }
extern "C" __global__ void right(const float *rho, const float *u, const float *v, float *rhoNew, float *uNew, float *vNew, int w, int h) {
  const double weights[3] = {1 / 6.0, 2 / 3.0, 1 / 6.0};
  for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < w * h; p += gridDim.x * blockDim.x) {
    double r = 0, a = 0, b = 0;
    for (int cy = -1; cy <= 1; cy++)
      for (int cx = -1; cx <= 1; cx++) {
        const int from = (p / w - cy + h) % h * w + (p % w - cx + w) % w;
        const double uu = u[from], vv = v[from], c = cx * uu + cy * vv;
        const double s = weights[cx + 1] * weights[cy + 1] * rho[from] * (1 + 3 * c + 4.5 * c * c - 1.5 * (uu * uu + vv * vv));
        r += s;
        a += cx * s;
        b += cy * s;
      }
    rhoNew[p] = (float)r;
    uNew[p] = (float)(a / r);
    vNew[p] = (float)(b / r);
  }
}
