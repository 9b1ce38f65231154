// Votes of points for the lines through them: 180 angles, of each 768 distances from the centre.
__device__ int distance_of(int x, int y, int c, int s) { return ((x * c + y * s >> 12) + 1536) / 4; }
__device__ int2 direction(int angle) { return make_int2(__float2int_rn(4096 * cospif(angle / 180.0f)), __float2int_rn(4096 * sinpif(angle / 180.0f))); }
extern "C" __global__ void before(const int *x, const int *y, unsigned *votes, int n) {
  const int2 d = direction(blockIdx.y);
  for (int k = 0, i = blockIdx.x * 8192 + threadIdx.x; k < 32 && i < n; k++, i += 256) atomicAdd(&votes[blockIdx.y * 768 + distance_of(x[i], y[i], d.x, d.y)], 1u);
}
extern "C" __global__ void after(const int *x, const int *y, unsigned *votes, int n) {
  __shared__ unsigned own[768];
  for (int k = threadIdx.x; k < 768; k += 256) own[k] = 0;
  __syncthreads();
  const int2 d = direction(blockIdx.y);
  for (int k = 0, i = blockIdx.x * 8192 + threadIdx.x; k < 32 && i < n; k++, i += 256) atomicAdd(&own[distance_of(x[i], y[i], d.x, d.y)], 1u);
  __syncthreads();
  for (int k = threadIdx.x; k < 768; k += 256)
    if (own[k]) atomicAdd(&votes[blockIdx.y * 768 + k], own[k]);
}
extern "C" __global__ void right(const int *x, const int *y, unsigned *votes, int n) { // a thread an angle
  const int2 d = direction(threadIdx.x);
  for (int i = 0; i < n; i++) votes[threadIdx.x * 768 + distance_of(x[i], y[i], d.x, d.y)]++;
}
