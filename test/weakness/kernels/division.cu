extern "C" __global__ void weak(const int *__restrict__ x, int *__restrict__ y, int n, int d, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned v = x[i], sum = 0;
#pragma unroll 1
  for (int r = 0; r < 32; r++) {
    sum += (v + r) / (unsigned)d + (v ^ r) % (unsigned)d;
    v += sum;
  }
  y[i] = sum;
}

extern "C" __global__ void mended(const int *__restrict__ x, int *__restrict__ y, int n, int d, int shift) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned v = x[i], sum = 0;
#pragma unroll 1
  for (int r = 0; r < 32; r++) {
    sum += ((v + r) >> shift) + ((v ^ r) & (unsigned)(d - 1));
    v += sum;
  }
  y[i] = sum;
}
