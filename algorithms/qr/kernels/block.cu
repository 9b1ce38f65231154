// Modified Gram-Schmidt of 64×64 matrices, one block per matrix, versions v4 to
// v6 of "Auto-testing efficiency of signal processing algorithms on embedded
// GPUs", section 4.2.2: everything in global memory (VERSION 4), in shared memory
// with Q and R written as they become known (5), or at the end (6). Sums are
// parallel reductions over a table of products.
//
// Defines: VERSION, THREADS (a multiple of 64). A group of 64 threads, one per row, takes a column.

#include "real.cuh"

enum { N = 64, GROUPS = THREADS / N };

extern "C" __global__ void __launch_bounds__(THREADS) block(const real* __restrict__ a, real* q, real* r, real* scratch) {
  const long long matrix = blockIdx.x;
  a += matrix * N * N, q += matrix * N * N, r += matrix * N * N;
  const int t = threadIdx.x, row = t % N, group = t / N;
#if VERSION == 4
  real* products = scratch + matrix * THREADS;
  real* x = q;
#else
  extern __shared__ real memory[];
  real* products = memory;
  real* x = memory + THREADS;
#if VERSION == 6
  real* factors = memory + THREADS + N * N;
#else
  real* factors = r;
#endif
#endif
#if VERSION == 4
  real* factors = r;
#endif
  for (int i = t; i < N * N; i += THREADS) {
    x[i] = a[i];
    factors[i] = 0;
  }
  __syncthreads();
  real* mine = products + group * N;
  for (int k = 0; k < N; k++) {
    real* unit = x + k * N;
    // Every group sums the squares itself: all need the norm.
    mine[row] = unit[row] * unit[row];
    __syncthreads();
#pragma unroll
    for (int half = N / 2; half > 0; half /= 2) {
      if (row < half) mine[row] += mine[row + half];
      __syncthreads();
    }
    const real square = mine[0];
    const real inverse = square > 0 ? reciprocal_root(square) : 0;
    __syncthreads();
    if (group == 0) {
      unit[row] *= inverse;
      if (row == 0) factors[k * N + k] = square * inverse;
#if VERSION == 5
      q[k * N + row] = unit[row];
#endif
    }
    __syncthreads();
    // The same number of rounds for every group: all threads must reach the barriers.
    for (int first = k + 1; first < N; first += GROUPS) {
      const int j = first + group;
      if (j < N) mine[row] = unit[row] * x[j * N + row];
      __syncthreads();
#pragma unroll
      for (int half = N / 2; half > 0; half /= 2) {
        if (j < N && row < half) mine[row] += mine[row + half];
        __syncthreads();
      }
      if (j < N) {
        const real factor = mine[0];
        x[j * N + row] -= factor * unit[row];
        if (row == 0) factors[j * N + k] = factor;
      }
      __syncthreads();
    }
  }
#if VERSION == 6
  for (int i = t; i < N * N; i += THREADS) {
    q[i] = x[i];
    r[i] = factors[i];
  }
#endif
}
