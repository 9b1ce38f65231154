__constant__ float table[1024];

extern "C" __global__ void weak(const int *__restrict__ x, float *__restrict__ y, int n) {
  for (int k = 0; k < 4; k++) {
    const int i = blockIdx.x * 1024 + k * 256 + threadIdx.x;
    if (i < n) y[i] = table[x[i]] + table[(x[i] * 7 + 3) & 1023] + table[(x[i] * 5 + 1) & 1023];
  }
}

extern "C" __global__ void mended(const int *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float near[1024];
  for (int k = threadIdx.x; k < 1024; k += 256) near[k] = table[k];
  __syncthreads();
  for (int k = 0; k < 4; k++) {
    const int i = blockIdx.x * 1024 + k * 256 + threadIdx.x;
    if (i < n) y[i] = near[x[i]] + near[(x[i] * 7 + 3) & 1023] + near[(x[i] * 5 + 1) & 1023];
  }
}
