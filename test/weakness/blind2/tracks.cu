// Covariances of six states a track, updated by eight scalar measurements, each along its row of h.
__device__ void updated(const float *p, const float *h, float *y, int i, int n) {
  float c[6][6];
#pragma unroll
  for (int k = 0; k < 36; k++) c[k / 6][k % 6] = 0.05f * p[(size_t)k * n + i] + (k % 7 == 0);
#pragma unroll
  for (int a = 0; a < 6; a++)
#pragma unroll
    for (int b = a + 1; b < 6; b++) c[a][b] = c[b][a] = (c[a][b] + c[b][a]) / 2;
#pragma unroll 1
  for (int m = 0; m < 8; m++) {
    float along[6], s = 0.5f;
#pragma unroll
    for (int a = 0; a < 6; a++) {
      along[a] = 0;
#pragma unroll
      for (int b = 0; b < 6; b++) along[a] += c[a][b] * h[6 * m + b];
      s += along[a] * h[6 * m + a];
    }
#pragma unroll
    for (int a = 0; a < 6; a++)
#pragma unroll
      for (int b = 0; b < 6; b++) c[a][b] -= along[a] / s * along[b];
  }
#pragma unroll
  for (int k = 0; k < 36; k++) y[(size_t)k * n + i] = c[k / 6][k % 6];
}
extern "C" __global__ void __launch_bounds__(256, 8) before(const float *p, const float *h, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) updated(p, h, y, i, n);
}
extern "C" __global__ void __launch_bounds__(256, 3) after(const float *p, const float *h, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) updated(p, h, y, i, n);
}
extern "C" __global__ void right(const float *p, const float *h, float *y, int n) { // by all eight at once: c - c h' (h c h' + r)^-1 h c
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double c[6][6], hc[8][6], s[8][14];
    for (int a = 0; a < 6; a++)
      for (int b = 0; b < 6; b++) c[a][b] = (a == b) + 0.025 * ((double)p[(size_t)(6 * a + b) * n + i] + p[(size_t)(6 * b + a) * n + i]);
#pragma unroll 1
    for (int m = 0; m < 8; m++)
      for (int b = 0; b < 6; b++) {
        hc[m][b] = 0;
        for (int a = 0; a < 6; a++) hc[m][b] += h[6 * m + a] * c[a][b];
        s[m][8 + b] = hc[m][b];
      }
#pragma unroll 1
    for (int m = 0; m < 8; m++)
      for (int k = 0; k < 8; k++) {
        s[m][k] = m == k ? 0.5 : 0;
        for (int b = 0; b < 6; b++) s[m][k] += hc[m][b] * h[6 * k + b];
      }
#pragma unroll 1
    for (int k = 0; k < 8; k++) // Gauss-Jordan
#pragma unroll 1
      for (int m = 0; m < 8; m++) {
        const double f = s[m][k] / s[k][k];
        for (int j = 0; j < 14; j++)
          if (m != k) s[m][j] -= f * s[k][j];
      }
#pragma unroll 1
    for (int a = 0; a < 6; a++)
#pragma unroll 1
      for (int b = 0; b < 6; b++) {
        for (int m = 0; m < 8; m++) c[a][b] -= hc[m][a] * s[m][8 + b] / s[m][m];
        y[(size_t)(6 * a + b) * n + i] = (float)c[a][b];
      }
  }
}
