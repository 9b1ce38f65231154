// pcr.cu: parallel cyclic reduction over the threads' separators (Hockney and
// Jesshope, Parallel Computers, 1981): in each of log2(TEAM) steps every thread
// eliminates the neighbours at twice the distance.
//
// Moves 5 values per row.

#include "separators.cuh"

__device__ __forceinline__ Real reduce(Equation e, Real *shared) {
  const int thread = threadIdx.x, t = thread % TEAM;
#pragma unroll
  for (int step = 1; step < TEAM; step *= 2) {
    const int low = t >= step ? t - step : t, high = t + step < TEAM ? t + step : t;
    Equation left, right;
#if SHUFFLE
    left = {__shfl_sync(0xffffffffu, e.a, low, TEAM), __shfl_sync(0xffffffffu, e.c, low, TEAM), __shfl_sync(0xffffffffu, e.d, low, TEAM)};
    right = {__shfl_sync(0xffffffffu, e.a, high, TEAM), __shfl_sync(0xffffffffu, e.c, high, TEAM), __shfl_sync(0xffffffffu, e.d, high, TEAM)};
#else
    shared[thread] = e.a;
    shared[thread + THREADS] = e.c;
    shared[thread + 2 * THREADS] = e.d;
    __syncthreads();
    const int i = thread - t + low, k = thread - t + high;
    left = {shared[i], shared[i + THREADS], shared[i + 2 * THREADS]};
    right = {shared[k], shared[k + THREADS], shared[k + 2 * THREADS]};
    shared += step & 0x55555555 ? 3 * THREADS : -3 * THREADS; // two boards alternate
#endif
    // Beyond the ends a and c are zero, so the values there do not matter.
    e = combine(e, left, right);
  }
#if !SHUFFLE
  __syncthreads();
#endif
  return e.d;
}

extern "C" __global__ void __launch_bounds__(THREADS)
    pcr(const Real *__restrict__ a, const Real *__restrict__ b, const Real *__restrict__ c, const Real *__restrict__ d,
        Real *__restrict__ x, long long systems) {
  extern __shared__ Real shared[];
  Rows rows;
  rows.read(a, b, c, d, systems, shared);
  const Equation e = separator(rows, shared);
  substitute(rows, reduce(e, shared), shared);
  writeRows(x, rows.d, systems, shared);
}
