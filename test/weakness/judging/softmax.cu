extern "C" __global__ void softmax(const float *x, float *y, int n) {
  __shared__ float s[256];
  const size_t row = blockIdx.x * 1000ul;
  const int t = threadIdx.x;
  float most = -1e30f, sum = 0;
  for (int c = t; c < 1000; c += 256) most = fmaxf(most, x[row + c]);
  s[t] = most;
  for (int d = 128; d; d /= 2) { __syncthreads(); if (t < d) s[t] = fmaxf(s[t], s[t + d]); }
  __syncthreads();
  most = s[0];
  __syncthreads();
  for (int c = t; c < 1000; c += 256) sum += expf(x[row + c] - most);
  s[t] = sum;
  for (int d = 128; d; d /= 2) { __syncthreads(); if (t < d) s[t] += s[t + d]; }
  __syncthreads();
  for (int c = t; c < 1000; c += 256) y[row + c] = expf(x[row + c] - most) / s[0];
}
extern "C" __global__ void right(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * 1000) return;
  const int row = i / 1000 * 1000;
  float sum = 0;
  for (int c = row; c < row + 1000; c++) sum += expf(x[c]);
  y[i] = expf(x[i]) / sum;
}
