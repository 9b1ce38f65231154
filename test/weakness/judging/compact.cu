extern "C" __global__ void compact(const float *x, unsigned *count, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32;
  const float v = i < n ? x[i] : 0;
  const unsigned mask = __ballot_sync(~0u, v > 0);
  unsigned base = 0;
  if (lane == 0 && mask) base = atomicAdd(count, __popc(mask));
  base = __shfl_sync(~0u, base, 0);
  if (v > 0) y[base + __popc(mask & ((1u << lane) - 1))] = v;
}
extern "C" __global__ void right(const float *x, unsigned *count, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0) atomicAdd(count, 1u);
}
