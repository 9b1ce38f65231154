// thomas.cu: elimination down the rows and substitution back up (Thomas, 1949)
// for interleaved systems: COLUMNS threads side by side take the same rows of
// as many systems.
//
// EQUATIONS > 0: TEAM threads share a system, each with EQUATIONS rows in
// registers, the last of which is a separator; the separators are solved by
// parallel cyclic reduction through shared memory. Moves 5 values per row.
// EQUATIONS = 0: a thread has a whole system and keeps c divided by the pivots
// in scratch memory. Moves 9 values per row.

#include "equations.cuh"

#if EQUATIONS

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

extern "C" __global__ void __launch_bounds__(THREADS)
    thomas(const Real *__restrict__ ga, const Real *__restrict__ gb, const Real *__restrict__ gc, const Real *__restrict__ gd,
           Real *__restrict__ gx, Real *, int n, long long systems) {
  extern __shared__ Real shared[];
  Offers offers = {shared, shared + 3 * THREADS};
  const int t = threadIdx.x / COLUMNS, last = EQUATIONS - 1;
  const long long system = (long long)blockIdx.x * COLUMNS + threadIdx.x % COLUMNS;
  // A thread without a system solves the last one once more.
  const long long at = (system < systems ? system : systems - 1) + (long long)t * EQUATIONS * systems;
  Real a[EQUATIONS], b[EQUATIONS], c[EQUATIONS], d[EQUATIONS];
#pragma unroll
  for (int i = 0; i < EQUATIONS; i++) {
    const bool in = t * EQUATIONS + i < n; // x = 0 beyond the last row
    const long long k = at + i * systems;
    a[i] = in ? ga[k] : Real(0);
    b[i] = in ? gb[k] : Real(1);
    c[i] = in ? gc[k] : Real(0);
    d[i] = in ? gd[k] : Real(0);
  }
  eliminate<EQUATIONS - 1, false>(a, b, c, d);
  offers.put(a[0], c[0], d[0]);
  const Equation next = offers.of(t + 1 < TEAM ? 1 : 0); // c of the last row is zero
  offers.flip();
  const Real r = reciprocal(b[last] - a[last] * c[last - 1] - c[last] * next.a);
  Equation e = {-a[last] * a[last - 1] * r, -c[last] * next.c * r, (d[last] - a[last] * d[last - 1] - c[last] * next.d) * r};
#pragma unroll
  for (int step = 1; step < TEAM; step *= 2) {
    offers.put(e.a, e.c, e.d);
    e = combine(e, offers.of(t >= step ? -step : 0), offers.of(t + step < TEAM ? step : 0));
    offers.flip();
  }
  offers.put(e.d, 0, 0);
  const Real before = offers.of(t > 0 ? -1 : 0).a; // a of the first row is zero
  if (system >= systems) return;
#pragma unroll
  for (int i = 0; i < EQUATIONS; i++) {
    const Real x = i < last ? d[i] - a[i] * before - c[i] * e.d : e.d;
    if (t * EQUATIONS + i < n) gx[at + i * systems] = x;
  }
}

#else

enum : int { AHEAD = 8 }; // rows that are read before they are needed

struct Chunk {
  Real a[AHEAD], b[AHEAD], c[AHEAD], d[AHEAD];
};

extern "C" __global__ void __launch_bounds__(THREADS)
    thomas(const Real *__restrict__ ga, const Real *__restrict__ gb, const Real *__restrict__ gc, const Real *__restrict__ gd,
           Real *__restrict__ gx, Real *__restrict__ scratch, int n, long long systems) {
  const long long system = (long long)blockIdx.x * THREADS + threadIdx.x;
  if (system >= systems) return;
  Chunk now, next;
#define READ(chunk, first)                                                       \
  _Pragma("unroll") for (int i = 0; i < AHEAD; i++) {                            \
    const long long k = system + ((first) + i < n ? (first) + i : n - 1) * systems; \
    chunk.a[i] = ga[k];                                                          \
    chunk.b[i] = gb[k];                                                          \
    chunk.c[i] = gc[k];                                                          \
    chunk.d[i] = gd[k];                                                          \
  }
  READ(now, 0)
  Real c = 0, d = 0;
  for (int first = 0; first < n; first += AHEAD) {
    READ(next, first + AHEAD)
#pragma unroll
    for (int i = 0; i < AHEAD; i++) {
      if (first + i < n) {
        const Real r = reciprocal(now.b[i] - now.a[i] * c);
        c = now.c[i] * r;
        d = (d * -now.a[i] + now.d[i]) * r;
        const long long k = system + (first + i) * systems;
        scratch[k] = c;
        gx[k] = d;
      }
    }
    now = next;
  }
  // The last row has c = 0. A chunk's b and d are rows already eliminated.
#define READ_BACK(chunk, top)                                     \
  _Pragma("unroll") for (int i = 0; i < AHEAD; i++) {             \
    const long long k = system + ((top)-i > 0 ? (top)-i : 0) * systems; \
    chunk.c[i] = scratch[k];                                      \
    chunk.d[i] = gx[k];                                           \
  }
  Real x = d;
  READ_BACK(now, n - 2)
  for (int top = n - 2; top >= 0; top -= AHEAD) {
    READ_BACK(next, top - AHEAD)
#pragma unroll
    for (int i = 0; i < AHEAD; i++) {
      if (top - i >= 0) {
        x = now.d[i] - now.c[i] * x;
        gx[system + (top - i) * systems] = x;
      }
    }
    now = next;
  }
}

#endif
