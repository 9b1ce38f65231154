// lf.cu: prefix sums by the circuit of Ladner and Fischer, Parallel Prefix
// Computation (1980), over pairs of equations: a pair is a block of rows, the
// sum of two is the block of both. The sum of all rows before a thread gives
// its first unknown in terms of the next thread's first; a second circuit,
// from the right, adds up these.
//
// Moves 5 values per row.

#include "blocks.cuh"

// Prefix merges, at STEP, the upper half of every 2·STEP threads with the last
// block of the lower half.
template <int STEP, bool MORE = (STEP < TEAM)> struct Prefix {
  static __device__ __forceinline__ void run(Pair &sum, Boards &boards) {
    const int thread = threadIdx.x, group = thread / (2 * STEP), source = group * (2 * STEP) + STEP - 1;
    Pair low;
    if (inWarp(2 * STEP)) {
      low = shuffled(sum, source % WARP);
    } else {
      if (thread == source) boards.put(group, THREADS / (2 * STEP), sum);
      __syncthreads();
      low = boards.pair(group, THREADS / (2 * STEP));
      boards.flip();
    }
    if (thread & STEP) sum = merge(low, sum);
    Prefix<2 * STEP>::run(sum, boards);
  }
};

template <int STEP> struct Prefix<STEP, false> {
  static __device__ __forceinline__ void run(Pair &, Boards &) {}
};

// Suffix adds up first = d - c·(next thread's first) from the right.
template <int STEP, bool MORE = (STEP < TEAM)> struct Suffix {
  static __device__ __forceinline__ void run(Real &d, Real &c, Boards &boards) {
    const int thread = threadIdx.x, group = thread / (2 * STEP), source = group * (2 * STEP) + STEP;
    Real highD, highC;
    if (inWarp(2 * STEP)) {
      highD = __shfl_sync(0xffffffffu, d, source % WARP);
      highC = __shfl_sync(0xffffffffu, c, source % WARP);
    } else {
      if (thread == source) boards.put(group, THREADS / (2 * STEP), d, c);
      __syncthreads();
      boards.get(group, THREADS / (2 * STEP), highD, highC);
      boards.flip();
    }
    if (!(thread & STEP)) {
      d -= c * highD;
      c *= -highC;
    }
    Suffix<2 * STEP>::run(d, c, boards);
  }
};

template <int STEP> struct Suffix<STEP, false> {
  static __device__ __forceinline__ void run(Real &, Real &, Boards &) {}
};

// shift gives each thread the values of the thread `by` further; what a thread
// at an end of its system gets has no meaning but is finite.
__device__ __forceinline__ void shift(Real &v, Real &w, int by, Boards &boards) {
  const int thread = threadIdx.x, lane = thread % WARP;
  if (SHUFFLE) {
    const Real x = v, y = w;
    v = __shfl_sync(0xffffffffu, x, (lane + by) & (WARP - 1));
    w = __shfl_sync(0xffffffffu, y, (lane + by) & (WARP - 1));
    if (TEAM > WARP) {
      const int edge = by < 0 ? 0 : WARP - 1; // the lane that looks beyond its warp
      const int warp = thread / WARP, source = warp + by;
      if (lane == WARP - 1 - edge) boards.put(warp, THREADS / WARP, x, y);
      __syncthreads();
      if (lane == edge && source >= 0 && source < THREADS / WARP) boards.get(source, THREADS / WARP, v, w);
      boards.flip();
    }
    return;
  }
  boards.put(thread, THREADS, v, w);
  __syncthreads();
  const int source = thread + by;
  if (source >= 0 && source < THREADS) boards.get(source, THREADS, v, w);
  boards.flip();
}

extern "C" __global__ void __launch_bounds__(THREADS)
    lf(const Real *__restrict__ a, const Real *__restrict__ b, const Real *__restrict__ c, const Real *__restrict__ d,
       Real *__restrict__ x, long long systems) {
  extern __shared__ Real shared[];
  const int t = threadIdx.x % TEAM;
  Rows rows;
  rows.read(a, b, c, d, systems, shared);
  const Pair own = blockOf(rows);
  Pair sum = own;
  Boards boards = {shared, 0};
  Prefix<1>::run(sum, boards);
  // The last unknown before the thread's rows: beforeD - beforeC·first.
  Real beforeD = sum.last.d, beforeC = sum.last.c;
  shift(beforeD, beforeC, -1, boards);
  if (t == 0) beforeD = beforeC = 0;
  const Real r = reciprocal(Real(1) - own.first.a * beforeC);
  Real first = (own.first.d - own.first.a * beforeD) * r, slope = own.first.c * r;
  Suffix<1>::run(first, slope, boards);
  Real after = first, unused = 0;
  shift(after, unused, 1, boards);
  substitute(rows, beforeD - beforeC * first, after);
  writeRows(x, rows.d, systems, shared);
}
