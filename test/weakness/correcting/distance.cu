extern "C" __global__ void distance(const unsigned char *x, const unsigned char *z, int *y, int n) {
  __shared__ int d[3][66];
  const unsigned char *u = x + blockIdx.x * 64, *v = z + blockIdx.x * 64;
  const int t = threadIdx.x;
  for (int s = 0; s <= 128; s++) {
    int *here = d[s % 3], *one = d[(s + 2) % 3], *two = d[(s + 1) % 3];
    for (int i = t; i <= 64; i += 64) {
      const int j = s - i;
      if (j < 0 || j > 64) continue;
      here[i] = i == 0 ? j : j == 0 ? i : min(min(one[i - 1], one[i]) + 1, two[i - 1] + (u[i - 1] != v[j - 1]));
    }
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = d[128 % 3][64];
}
extern "C" __global__ void right(const unsigned char *x, const unsigned char *z, int *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { int d[65]; for (int j = 0; j <= 64; j++) d[j] = j; for (int k = 1; k <= 64; k++) { int diagonal = d[0]; d[0] = k; for (int j = 1; j <= 64; j++) { const int best = min(min(d[j], d[j - 1]) + 1, diagonal + (x[64 * i + k - 1] != z[64 * i + j - 1])); diagonal = d[j]; d[j] = best; } } y[i] = d[64]; }
}
