// Modified Gram-Schmidt of 64×64 matrices, one block per matrix, versions v4 to
// v6 of "Auto-testing efficiency of signal processing algorithms on embedded
// GPUs", section 4.2.2: everything in global memory (VERSION 4), in shared memory
// with Q and R written as they become known (5), or at the end (6). Sums are
// parallel reductions over a table of products.
//
// Defines: VERSION, THREADS (a multiple of 64). A group of 64 threads, one per row, takes a column.

#include "real.cuh"

enum { N = 64, GROUPS = THREADS / N };

#if VERSION == 4
#define SPACE GLOBAL
#define MEMORY
#else
#define SPACE LOCAL
#define MEMORY DYNAMIC(real, memory)
#endif
#if VERSION == 6
#define FACTORS LOCAL
#else
#define FACTORS GLOBAL
#endif

KERNEL(THREADS, 1, 1) block(GLOBAL const real* __restrict__ a, GLOBAL real* q, GLOBAL real* r, GLOBAL real* scratch MEMORY) {
  const Long matrix = blockIdx.x;
  a += matrix * N * N, q += matrix * N * N, r += matrix * N * N;
  const int t = threadIdx.x, row = t % N, group = t / N;
#if VERSION == 4
  SPACE real* products = scratch + matrix * THREADS;
  SPACE real* x = q;
#else
  DYNAMIC_AS(real, memory);
  SPACE real* products = memory;
  SPACE real* x = memory + THREADS;
#if VERSION == 6
  FACTORS real* factors = memory + THREADS + N * N;
#else
  FACTORS real* factors = r;
#endif
#endif
#if VERSION == 4
  FACTORS real* factors = r;
#endif
  for (int i = t; i < N * N; i += THREADS) {
    x[i] = a[i];
    factors[i] = 0;
  }
  __syncthreads();
  SPACE real* mine = products + group * N;
  for (int k = 0; k < N; k++) {
    SPACE real* unit = x + k * N;
    // Every group sums the squares itself: all need the norm.
    mine[row] = unit[row] * unit[row];
    __syncthreads();
#pragma unroll
    for (int reach = N / 2; reach > 0; reach /= 2) {
      if (row < reach) mine[row] += mine[row + reach];
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
      for (int reach = N / 2; reach > 0; reach /= 2) {
        if (j < N && row < reach) mine[row] += mine[row + reach];
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
