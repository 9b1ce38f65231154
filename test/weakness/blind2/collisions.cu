// Energies of particles after one of four kinds of collisions, 40 steps of each.
template <class T> __device__ T collided(T e, int kind) {
  switch (kind) {
  case 0:
#pragma unroll 1
    for (int k = 0; k < 40; k++) e = (T)0.97 * e + (T)0.01 * sqrt(e);
    break;
  case 1:
#pragma unroll 1
    for (int k = 0; k < 40; k++) e = e / (1 + (T)0.05 * e) + (T)0.02;
    break;
  case 2:
#pragma unroll 1
    for (int k = 0; k < 40; k++) e = e * ((T)1.25 - (T)0.25 * e) * ((T)0.96 + (T)0.03 * e);
    break;
  default:
#pragma unroll 1
    for (int k = 0; k < 40; k++) e = (T)0.5 * e + (T)0.25 * exp(-e);
  }
  return e;
}
extern "C" __global__ void before(const float *x, const unsigned char *kind, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = collided(x[i], kind[i]);
}
extern "C" __global__ void after(const float *x, const unsigned char *kind, float *y, int n) { // a block's particles by kinds
  __shared__ int count[4], begin[4];
  __shared__ unsigned char which[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (threadIdx.x < 4) count[threadIdx.x] = 0;
  __syncthreads();
  int own = 0, place = 0;
  if (i < n) {
    own = kind[i];
    place = atomicAdd(&count[own], 1);
  }
  __syncthreads();
  if (threadIdx.x < 4) {
    int sum = 0;
    for (int k = 0; k < threadIdx.x; k++) sum += count[k];
    begin[threadIdx.x] = sum;
  }
  __syncthreads();
  if (i < n) which[begin[own] + place] = threadIdx.x;
  __syncthreads();
  if (i >= n) return;
  const int j = blockIdx.x * 256 + which[threadIdx.x];
  y[j] = collided(x[j], kind[j]);
}
extern "C" __global__ void right(const float *x, const unsigned char *kind, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = (float)collided((double)x[i], kind[i]);
}
