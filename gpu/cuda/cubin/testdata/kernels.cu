// Kernels of known use of registers, shared, constant and local memory.
__constant__ float table[10];

extern "C" __global__ void plain(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * 1.37f + 2.0f;
}

extern "C" __global__ void __launch_bounds__(96, 2) shared(float *x) {
  __shared__ float t[256];
  t[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = t[255 - threadIdx.x] + table[threadIdx.x % 10];
}

// An array indexed by an unknown number, in a function that is not inlined:
// 50 floats of stack, and dynamic shared memory that is not static.
__noinline__ float callee(float *x, int k) {
  float a[50];
  for (int i = 0; i < 50; i++) a[i] = x[i * k];
  return a[(k * 7) % 50];
}

extern "C" __global__ void calls(float *x, int k) {
  extern __shared__ float dynamic[];
  dynamic[k] = x[0];
  __syncthreads();
  x[k] = callee(x, k) + dynamic[k + 1];
}

// 64 live values: no spill by default, spills in 32 registers.
extern "C" __global__ void spill(float *x) {
  float a[64];
#pragma unroll
  for (int i = 0; i < 64; i++) a[i] = x[i * 32 + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 64; i++) x[(63 - i) * 32 + threadIdx.x] = a[i] * a[(i + 7) % 64];
}
