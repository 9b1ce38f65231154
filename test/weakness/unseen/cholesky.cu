__device__ float at(const float *a, int n, int i, int j) { return 0.5f * (a[i * n + j] + a[j * n + i]) + (i == j ? n : 0); }
extern "C" __global__ void cholesky(const float *a, float *l, int n) {
  extern __shared__ float s[];
  for (int k = threadIdx.x; k < n * n; k += 256) s[k] = at(a, n, k / n, k % n);
  for (int j = 0; j < n; j++) {
    __syncthreads();
    const float d = sqrtf(s[j * n + j]);
    __syncthreads();
    for (int i = j + threadIdx.x; i < n; i += 256) s[i * n + j] = i == j ? d : s[i * n + j] / d;
    __syncthreads();
    for (int k = threadIdx.x; k < (n - j) * (n - j); k += 256) {
      const int i = j + k / (n - j), c = j + k % (n - j);
      if (c > j && i >= c) s[i * n + c] -= s[i * n + j] * s[c * n + j];
    }
  }
  __syncthreads();
  for (int k = threadIdx.x; k < n * n; k += 256) l[k] = k / n >= k % n ? s[k] : 0;
}
extern "C" __global__ void right(const float *a, float *l, int n) {
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) {
      double sum = at(a, n, i, j);
      for (int k = 0; k < j; k++) sum -= (double)l[i * n + k] * l[j * n + k];
      l[i * n + j] = (float)(i == j ? sqrt(sum) : sum / l[j * n + j]);
    }
}
