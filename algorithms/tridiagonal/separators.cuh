// separators.cuh: the last of a thread's rows is its separator: the others are
// eliminated, which leaves one equation per thread for the reduction, and are
// recovered from the two separators around them.

#include "rows.cuh"

// neighbour is the value of the thread `source` of the same system; of the
// calling thread where there is none. Shared memory must be free.
__device__ __forceinline__ Real neighbour(Real mine, int source, Real *shared) {
#if SHUFFLE
  return __shfl_sync(0xffffffffu, mine, source >= 0 && source < TEAM ? source : int(threadIdx.x) % TEAM, TEAM);
#else
  const int thread = threadIdx.x, t = thread % TEAM;
  shared[thread] = mine;
  __syncthreads();
  const Real v = shared[source >= 0 && source < TEAM ? thread - t + source : thread];
  __syncthreads();
  return v;
#endif
}

__device__ __forceinline__ Equation separator(Rows &rows, Real *shared) {
  const int t = threadIdx.x % TEAM, last = EQUATIONS - 1;
  eliminate<EQUATIONS - 1, Rows::UNIT>(rows.a, rows.b, rows.c, rows.d);
  // The first unknown of the next thread, in terms of two separators.
  const Real a = neighbour(rows.a[0], t + 1, shared);
  const Real c = neighbour(rows.c[0], t + 1, shared);
  const Real d = neighbour(rows.d[0], t + 1, shared);
  const Real low = rows.a[last], high = rows.c[last];
  const Real r = reciprocal(rows.b[last] - low * rows.c[last - 1] - high * a);
  return {-low * rows.a[last - 1] * r, -high * c * r, (rows.d[last] - low * rows.d[last - 1] - high * d) * r};
}

// substitute solves a thread's rows, x being its separator.
__device__ __forceinline__ void substitute(Rows &rows, Real x, Real *shared) {
  const Real before = neighbour(x, int(threadIdx.x) % TEAM - 1, shared);
#pragma unroll
  for (int i = 0; i < EQUATIONS - 1; i++) rows.d[i] -= rows.a[i] * before + rows.c[i] * x;
  rows.d[EQUATIONS - 1] = x;
}
