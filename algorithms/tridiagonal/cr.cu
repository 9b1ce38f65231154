// cr.cu: cyclic reduction over the threads' separators (Hockney, A Fast Direct
// Solution of Poisson's Equation Using Fourier Analysis, 1965): log2(TEAM) steps
// forward, each halving the separators, and as many back.
//
// Moves 5 values per row.

#include "separators.cuh"

#if SHUFFLE
__device__ __forceinline__ Real reduce(Equation e, Real *) {
  const int t = threadIdx.x % TEAM;
  const unsigned all = 0xffffffffu;
#pragma unroll
  for (int step = 1; step < TEAM; step *= 2) {
    const int low = t >= step ? t - step : t, high = t + step < TEAM ? t + step : t;
    const Equation left = {__shfl_sync(all, e.a, low, TEAM), __shfl_sync(all, e.c, low, TEAM), __shfl_sync(all, e.d, low, TEAM)};
    const Equation right = {__shfl_sync(all, e.a, high, TEAM), __shfl_sync(all, e.c, high, TEAM), __shfl_sync(all, e.d, high, TEAM)};
    if ((t + 1) % (2 * step) == 0) e = combine(e, left, right);
  }
#pragma unroll
  for (int step = TEAM / 2; step > 0; step /= 2) {
    const int low = t >= step ? t - step : t, high = t + step < TEAM ? t + step : t;
    const Real left = __shfl_sync(all, e.d, low, TEAM), right = __shfl_sync(all, e.d, high, TEAM);
    if ((t + 1) % (2 * step) == step) e.d -= e.a * left + e.c * right;
  }
  return e.d;
}
#else
// The separators stay in shared memory; the threads that are left in a step
// are the first ones.
__device__ __forceinline__ Real reduce(Equation e, Real *shared) {
  const int thread = threadIdx.x, t = thread % TEAM;
  Real *a = shared + (thread - t), *c = a + THREADS, *d = c + THREADS;
  a[t] = e.a;
  c[t] = e.c;
  d[t] = e.d;
  for (int step = 1; step < TEAM; step *= 2) {
    __syncthreads();
    const int i = (t + 1) * 2 * step - 1;
    if (i < TEAM) {
      const int low = i - step, high = i + step < TEAM ? i + step : i;
      e = combine({a[i], c[i], d[i]}, {a[low], c[low], d[low]}, {a[high], c[high], d[high]});
      a[i] = e.a;
      c[i] = e.c;
      d[i] = e.d;
    }
  }
  for (int step = TEAM / 2; step > 0; step /= 2) {
    __syncthreads();
    const int i = (2 * t + 1) * step - 1;
    if (i < TEAM) {
      const Real left = i >= step ? d[i - step] : Real(0);
      d[i] -= a[i] * left + c[i] * d[i + step];
    }
  }
  __syncthreads();
  const Real x = d[t];
  __syncthreads();
  return x;
}
#endif

extern "C" __global__ void __launch_bounds__(THREADS)
    cr(const Real *__restrict__ a, const Real *__restrict__ b, const Real *__restrict__ c, const Real *__restrict__ d,
       Real *__restrict__ x, long long systems) {
  extern __shared__ Real shared[];
  Rows rows;
  rows.read(a, b, c, d, systems, shared);
  const Equation e = separator(rows, shared);
  substitute(rows, reduce(e, shared), shared);
  writeRows(x, rows.d, systems, shared);
}
