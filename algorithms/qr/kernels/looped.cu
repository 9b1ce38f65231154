// Modified Gram-Schmidt as two kernels in a loop, versions v1 to v3 of
// "Auto-testing efficiency of signal processing algorithms on embedded GPUs",
// section 4.2.2: one normalises a column, the other projects the columns after it,
// one block per column. The vectors are in global memory (VERSION 1), shared
// memory (2) or registers (3); sums are parallel reductions, in version 1 also
// in global memory.
//
// Defines: VERSION, THREADS, ROWS (elements of a column a thread holds, version 3).
// Matrices are stored by columns; blockIdx.y (normalise: blockIdx.x) is the matrix.

#include "real.cuh"

// Where a block's reduction takes place, and the vectors in version 2.
#if VERSION == 1
#define SPACE GLOBAL
#define PARTIAL(scratch, block) GLOBAL real* partial = (scratch) + (Long)(block) * THREADS
#else
#define SPACE LOCAL
#define PARTIAL(scratch, block) SHARED real partial[THREADS]
#endif

#if VERSION == 2
#define VECTORS DYNAMIC(real, vectors)
#else
#define VECTORS
#endif

// Sums what the threads hold, in log2 THREADS steps; all get the sum.
FUNCTION real sum(SPACE real* partial, real x) {
  const int t = threadIdx.x;
  partial[t] = x;
  __syncthreads();
#pragma unroll
  for (int reach = THREADS / 2; reach > 0; reach /= 2) {
    if (t < reach) partial[t] += partial[t + reach];
    __syncthreads();
  }
  return partial[0];
}

// Pseudo-random in [-1, 1), for columns that make Q square: a hash by
// multiplication and shifts.
FUNCTION real filler(unsigned row, unsigned column) {
  unsigned h = row * 0x9e3779b1u + column * 0x85ebca77u + 0x27d4eb2fu;
  h = (h ^ (h >> 15)) * 0x2c1b3c6du;
  h = (h ^ (h >> 12)) * 0x297a2d39u;
  h ^= h >> 15;
  return (int)h * ((real)1 / 2147483648);
}

// A's columns become Q's, filled up to cols; R's zeros are written. One block
// per column.
KERNEL(THREADS, 1, 1) prepare(GLOBAL const real* __restrict__ a, GLOBAL real* __restrict__ q, GLOBAL real* __restrict__ r, int m, int n, int cols) {
  const int j = blockIdx.x;
  const Long matrix = blockIdx.y;
  GLOBAL real* to = q + (matrix * cols + j) * m;
  if (j < n) {
    GLOBAL const real* from = a + (matrix * n + j) * m;
    for (int i = threadIdx.x; i < m; i += THREADS) to[i] = from[i];
    GLOBAL real* below = r + (matrix * n + j) * cols;
    for (int i = j + 1 + threadIdx.x; i < cols; i += THREADS) below[i] = 0;
  } else {
    for (int i = threadIdx.x; i < m; i += THREADS) to[i] = filler(i, j);
  }
}

// Normalises column k of each matrix; its norm becomes r_kk if keep.
KERNEL(THREADS, 1, 1) normalise(GLOBAL real* __restrict__ q, GLOBAL real* __restrict__ r, GLOBAL real* scratch, int m, int n, int cols, int k, int keep VECTORS) {
  const Long matrix = blockIdx.x;
  GLOBAL real* at = q + (matrix * cols + k) * m;
  const int t = threadIdx.x;
  PARTIAL(scratch, matrix);
  real s = 0;
#if VERSION == 1
  for (int i = t; i < m; i += THREADS) s += at[i] * at[i];
#elif VERSION == 2
  DYNAMIC_AS(real, vectors);
  for (int i = t; i < m; i += THREADS) vectors[i] = at[i];
  for (int i = t; i < m; i += THREADS) s += vectors[i] * vectors[i];
#else
  real x[ROWS];
#pragma unroll
  for (int i = 0; i < ROWS; i++) {
    x[i] = i * THREADS + t < m ? at[i * THREADS + t] : 0;
    s += x[i] * x[i];
  }
#endif
  s = sum(partial, s);
  const real inverse = s > 0 ? reciprocal_root(s) : 0;
  if (t == 0 && keep) r[(matrix * n + k) * cols + k] = s * inverse;
#if VERSION == 1
  for (int i = t; i < m; i += THREADS) at[i] *= inverse;
#elif VERSION == 2
  for (int i = t; i < m; i += THREADS) at[i] = vectors[i] * inverse;
#else
#pragma unroll
  for (int i = 0; i < ROWS; i++) {
    if (i * THREADS + t < m) at[i * THREADS + t] = x[i] * inverse;
  }
#endif
}

// Subtracts from column j = first + blockIdx.x its projection on the unit
// column k; the factor becomes r_kj if keep and j < n.
KERNEL(THREADS, 1, 1) project(GLOBAL real* __restrict__ q, GLOBAL real* __restrict__ r, GLOBAL real* scratch, int m, int n, int cols, int k, int first, int keep VECTORS) {
  const int j = first + blockIdx.x;
  const Long matrix = blockIdx.y;
  GLOBAL const real* unit = q + (matrix * cols + k) * m;
  GLOBAL real* at = q + (matrix * cols + j) * m;
  const int t = threadIdx.x;
  PARTIAL(scratch, matrix * gridDim.x + blockIdx.x);
  real s = 0;
#if VERSION == 1
  for (int i = t; i < m; i += THREADS) s += unit[i] * at[i];
#elif VERSION == 2
  DYNAMIC_AS(real, vectors);
  LOCAL real* u = vectors + m;
  for (int i = t; i < m; i += THREADS) {
    vectors[i] = at[i];
    u[i] = unit[i];
  }
  for (int i = t; i < m; i += THREADS) s += u[i] * vectors[i];
#else
  real x[ROWS], u[ROWS];
#pragma unroll
  for (int i = 0; i < ROWS; i++) {
    const bool in = i * THREADS + t < m;
    x[i] = in ? at[i * THREADS + t] : 0;
    u[i] = in ? unit[i * THREADS + t] : 0;
    s += u[i] * x[i];
  }
#endif
  s = sum(partial, s);
  if (t == 0 && keep && j < n) r[(matrix * n + j) * cols + k] = s;
#if VERSION == 1
  for (int i = t; i < m; i += THREADS) at[i] -= s * unit[i];
#elif VERSION == 2
  for (int i = t; i < m; i += THREADS) at[i] = vectors[i] - s * u[i];
#else
#pragma unroll
  for (int i = 0; i < ROWS; i++) {
    if (i * THREADS + t < m) at[i * THREADS + t] = x[i] - s * u[i];
  }
#endif
}
