// Modified Gram-Schmidt of 64×64 matrices, one block per matrix, sums by warp
// shuffles, versions v7 and v8 of "Auto-testing efficiency of signal processing
// algorithms on embedded GPUs", section 4.2.2. A warp takes a column, a lane two rows. VERSION 7
// keeps the matrix in shared memory; version 8 partitions otherwise: a warp keeps
// its columns in registers and only the unit column passes through shared
// memory, with one barrier per column.
//
// Defines: VERSION, WARPS (a power of two up to 32).

#include "real.cuh"

enum { N = 64, OWN = N / WARPS };

#define ALL 0xffffffffu

__device__ __forceinline__ real sum(real x) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(ALL, x, d);
  return __shfl_sync(ALL, x, 0);
}

extern "C" __global__ void __launch_bounds__(WARPS * 32) warps(const real* __restrict__ a, real* __restrict__ q, real* __restrict__ r) {
  const long long matrix = blockIdx.x;
  a += matrix * N * N, q += matrix * N * N, r += matrix * N * N;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  extern __shared__ real memory[];
  real* factors = memory;  // N columns of R, of 65 elements so that a row meets no bank twice
  for (int i = threadIdx.x; i < N * (N + 1); i += WARPS * 32) factors[i] = 0;
#if VERSION == 7
  real* x = memory + N * (N + 1);
  for (int i = threadIdx.x; i < N * N; i += WARPS * 32) x[i] = a[i];
  __syncthreads();
  for (int k = 0; k < N; k++) {
    real* unit = x + k * N;
    if (warp == 0) {
      const real u = unit[lane], v = unit[lane + 32];
      const real square = sum(u * u + v * v);
      const real inverse = square > 0 ? reciprocal_root(square) : 0;
      unit[lane] = u * inverse;
      unit[lane + 32] = v * inverse;
      if (lane == 0) factors[k * (N + 1) + k] = square * inverse;
    }
    __syncthreads();
    for (int j = k + 1 + warp; j < N; j += WARPS) {
      real* at = x + j * N;
      const real factor = sum(unit[lane] * at[lane] + unit[lane + 32] * at[lane + 32]);
      at[lane] -= factor * unit[lane];
      at[lane + 32] -= factor * unit[lane + 32];
      if (lane == 0) factors[j * (N + 1) + k] = factor;
    }
    __syncthreads();
  }
  for (int i = threadIdx.x; i < N * N; i += WARPS * 32) {
    q[i] = x[i];
    r[i] = factors[i / N * (N + 1) + i % N];
  }
#else
  real* units = memory + N * (N + 1);  // two columns
  real low[OWN], high[OWN];  // rows lane and lane+32 of columns warp, warp+WARPS, …
#pragma unroll
  for (int s = 0; s < OWN; s++) {
    low[s] = a[(warp + s * WARPS) * N + lane];
    high[s] = a[(warp + s * WARPS) * N + lane + 32];
  }
  __syncthreads();
#pragma unroll
  for (int s = 0; s < OWN; s++) {
    for (int owner = 0; owner < WARPS; owner++) {
      const int k = s * WARPS + owner;
      real* unit = units + k % 2 * N;
      if (warp == owner) {
        const real square = sum(low[s] * low[s] + high[s] * high[s]);
        const real inverse = square > 0 ? reciprocal_root(square) : 0;
        low[s] *= inverse;
        high[s] *= inverse;
        unit[lane] = low[s];
        unit[lane + 32] = high[s];
        if (lane == 0) factors[k * (N + 1) + k] = square * inverse;
      }
      __syncthreads();
      const real u = unit[lane], v = unit[lane + 32];
#pragma unroll
      for (int c = s; c < OWN; c++) {
        if (c > s || warp > owner) {
          const real factor = sum(u * low[c] + v * high[c]);
          low[c] -= factor * u;
          high[c] -= factor * v;
          if (lane == 0) factors[(warp + c * WARPS) * (N + 1) + k] = factor;
        }
      }
    }
  }
#pragma unroll
  for (int s = 0; s < OWN; s++) {
    q[(warp + s * WARPS) * N + lane] = low[s];
    q[(warp + s * WARPS) * N + lane + 32] = high[s];
  }
  __syncthreads();
  for (int i = threadIdx.x; i < N * N; i += WARPS * 32) r[i] = factors[i / N * (N + 1) + i % N];
#endif
}
