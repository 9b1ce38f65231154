// teams.cu: interleaved systems, each shared by TEAM threads with EQUATIONS rows
// in registers, the last of which is a separator; the separators are solved by
// parallel cyclic reduction through shared memory. COLUMNS threads side by side
// take the same rows of as many systems. Moves 5 values per row.
//
// CLUSTER > 1: so many blocks share a system, TEAM threads in each, which reduce
// their rows to a pair of equations; every block is told all pairs and solves
// for the two unknowns around it. Whole lines of long systems then fit into
// the registers of several multiprocessors where one has too few.
//
// AHEAD: blocks stay, and while they solve systems the rows of their next ones
// are on their way to shared memory (compute capability 8.0 on). Without it the
// memory rests while blocks wait for each other's reductions.

#include "equations.cuh"
#if CLUSTER > 1
#include "sides.cuh"
#else
enum : int { SIDES = 0 };
#endif

// Offers are three values of every thread, on one of two boards in shared
// memory that alternate.
struct Offers {
  Real *board, *other;

  __device__ __forceinline__ void put(Real a, Real c, Real d) {
    board[threadIdx.x] = a;
    board[threadIdx.x + THREADS] = c;
    board[threadIdx.x + 2 * THREADS] = d;
    __syncthreads();
  }
  // of is what the thread `by` further down the same system put.
  __device__ __forceinline__ Equation of(int by) const {
    const Real *at = board + (int(threadIdx.x) + by * COLUMNS);
    return {at[0], at[THREADS], at[2 * THREADS]};
  }
  __device__ __forceinline__ void flip() {
    Real *b = board;
    board = other;
    other = b;
  }
};

// leftOf and rightOf are the equations of the threads `by` before and after
// this one. Those of other blocks stay unknowns.
__device__ __forceinline__ Equation leftOf(const Offers &offers, int t, int by) {
#if CLUSTER > 1
  if (t < by) return {-1, 0, 0};
#endif
  return offers.of(t >= by ? -by : 0); // a of the first row is zero
}
__device__ __forceinline__ Equation rightOf(const Offers &offers, int t, int by) {
#if CLUSTER > 1
  if (t + by >= TEAM) return {0, -1, 0};
#endif
  return offers.of(t + by < TEAM ? by : 0); // c of the last row is zero
}

#if AHEAD
// copy starts the copy of one value, which runs while the thread goes on.
__device__ __forceinline__ void copy(Real *to, const Real *from) {
#ifdef BENCH_SIM
  *to = *from;
#else
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(unsigned(__cvta_generic_to_shared(to))), "l"(from), "n"(int(sizeof(Real)))
               : "memory");
#endif
}

// copied waits until all copies of this thread are there.
__device__ __forceinline__ void copied() {
#ifndef BENCH_SIM
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
#endif

extern "C" __global__ void
#if BLOCKS
__launch_bounds__(THREADS, BLOCKS)
#else
__launch_bounds__(THREADS)
#endif
    thomas(const Real *__restrict__ ga, const Real *__restrict__ gb, const Real *__restrict__ gc, const Real *__restrict__ gd,
           Real *__restrict__ gx, int n, long long systems) {
  extern __shared__ Real shared[];
  Offers offers = {shared, shared + 3 * THREADS};
  const int t = threadIdx.x / COLUMNS, last = EQUATIONS - 1;
#if CLUSTER > 1
  Sides sides = {shared + 6 * THREADS, int(clusterRank()), 0};
  clusterArrive();
  const int row = (sides.rank * TEAM + t) * EQUATIONS;
#else
  const int row = t * EQUATIONS;
#endif
  const long long first = (long long)(blockIdx.x / CLUSTER) * COLUMNS;
  long long system = first + threadIdx.x % COLUMNS;
  // A thread without a system solves the last one once more.
  long long at = (system < systems ? system : systems - 1) + row * systems;
#if AHEAD
  // Every thread copies its own rows, and so waits for no other.
  Real *const slots = shared + 6 * THREADS + 2 * SIDES + threadIdx.x;
#define FETCH()                                              \
  _Pragma("unroll") for (int i = 0; i < EQUATIONS; i++) {    \
    if (row + i < n) {                                       \
      const long long k = at + i * systems;                  \
      copy(slots + i * THREADS, ga + k);                     \
      copy(slots + (EQUATIONS + i) * THREADS, gb + k);       \
      copy(slots + (2 * EQUATIONS + i) * THREADS, gc + k);   \
      copy(slots + (3 * EQUATIONS + i) * THREADS, gd + k);   \
    }                                                        \
  }
  FETCH()
#if CLUSTER > 1
  clusterWait();
#endif
#pragma unroll 1
  for (long long group = first; group < systems; group += (long long)(gridDim.x / CLUSTER) * COLUMNS)
#endif
  {
    Real a[EQUATIONS], b[EQUATIONS], c[EQUATIONS], d[EQUATIONS];
#if AHEAD
    copied();
#endif
#pragma unroll
    for (int i = 0; i < EQUATIONS; i++) {
      const bool in = row + i < n; // x = 0 beyond the last row
#if AHEAD
      a[i] = in ? slots[i * THREADS] : Real(0);
      b[i] = in ? slots[(EQUATIONS + i) * THREADS] : Real(1);
      c[i] = in ? slots[(2 * EQUATIONS + i) * THREADS] : Real(0);
      d[i] = in ? slots[(3 * EQUATIONS + i) * THREADS] : Real(0);
#else
      const long long k = at + i * systems;
      a[i] = in ? ga[k] : Real(0);
      b[i] = in ? gb[k] : Real(1);
      c[i] = in ? gc[k] : Real(0);
      d[i] = in ? gd[k] : Real(0);
#endif
    }
    eliminate<EQUATIONS - 1, false>(a, b, c, d);
    offers.put(a[0], c[0], d[0]);
    const Equation next = rightOf(offers, t, 1);
    offers.flip();
    const bool solves = system < systems;
#if AHEAD
    Real *const to = gx + at;
    system += (long long)(gridDim.x / CLUSTER) * COLUMNS;
    at = (system < systems ? system : systems - 1) + row * systems;
    if (group + (long long)(gridDim.x / CLUSTER) * COLUMNS < systems) {
      FETCH()
    }
#endif
    const Real r = reciprocal(b[last] - a[last] * c[last - 1] - c[last] * next.a);
    Equation e = {-a[last] * a[last - 1] * r, -c[last] * next.c * r, (d[last] - a[last] * d[last - 1] - c[last] * next.d) * r};
#pragma unroll
    for (int step = 1; step < TEAM; step *= 2) {
      offers.put(e.a, e.c, e.d);
      e = combine(e, leftOf(offers, t, step), rightOf(offers, t, step));
      offers.flip();
    }
#if CLUSTER > 1
#if !AHEAD
    clusterWait();
#endif
    if (t == 0) sides.tell(0, {a[0] - c[0] * e.a, -c[0] * e.c, d[0] - c[0] * e.d});
    if (t == TEAM - 1) sides.tell(1, e);
    clusterSync();
    if (t == 0) sides.solve();
    __syncthreads();
    const Real above = sides.before();
    e.d -= e.a * above + e.c * sides.after();
#if AHEAD
    sides.flip();
#endif
#endif
    offers.put(e.d, 0, 0);
    Real before = offers.of(t > 0 ? -1 : 0).a; // a of the first row is zero
    offers.flip();
#if CLUSTER > 1
    if (t == 0) before = above;
#endif
    if (solves) {
#if !AHEAD
      // Found once more: kept all the while, it would take registers from the rows.
      int column = threadIdx.x;
      asm volatile("" : "+r"(column));
      Real *const to = gx + ((long long)(blockIdx.x / CLUSTER) * COLUMNS + column % COLUMNS + row * systems);
#endif
#pragma unroll
      for (int i = 0; i < EQUATIONS; i++) {
        const Real x = i < last ? d[i] - a[i] * before - c[i] * e.d : e.d;
        if (row + i < n) to[i * systems] = x;
      }
    }
  }
}
