// partition.cu: the parallel partition method for one system of n rows (Austin,
// Berndt and Moulton, A Memory Efficient Parallel Tridiagonal Solver, 2004).
// Sub-systems of PART_ROWS rows are each solved by TEAM threads of EQUATIONS rows;
// their first and last unknowns make the interface system. Rows beyond the
// last are x = 0.
//
// reduce moves 4 values per row and 8 per sub-system, substitute 5 per row and 2
// per sub-system, whole 5 per row.

#include "divide.cuh"

struct System {
  const Real *a, *b, *c, *d;
  long long n;

  __device__ __forceinline__ void row(long long i, Real &ra, Real &rb, Real &rc, Real &rd) const {
    const bool in = i < n;
    ra = in ? a[i] : Real(0);
    rb = in ? b[i] : Real(1);
    rc = in ? c[i] : Real(0);
    rd = in ? d[i] : Real(0);
  }
  // rows reads a thread's rows from row `from` on, of which the first `count`
  // are its own.
  __device__ __forceinline__ void rows(Rows &to, long long from, int count) const {
    if (PART_ROWS % VECTOR == 0 && PART_ROWS % EQUATIONS == 0 && count >= EQUATIONS && from + EQUATIONS <= n) {
      load(to.a, a + from);
      load(to.b, b + from);
      load(to.c, c + from);
      load(to.d, d + from);
      return;
    }
#pragma unroll
    for (int i = 0; i < EQUATIONS; i++) row(i < count ? from + i : n, to.a[i], to.b[i], to.c[i], to.d[i]);
  }
};

#if PART_ROWS

// reduce makes the two interface equations of sub-systems first … parts - 1:
// the inner unknowns are eliminated from the first and the last row.
extern "C" __global__ void __launch_bounds__(THREADS)
    reduce(const Real *__restrict__ a, const Real *__restrict__ b, const Real *__restrict__ c, const Real *__restrict__ d,
           Real *__restrict__ ia, Real *__restrict__ ib, Real *__restrict__ ic, Real *__restrict__ id, long long n,
           long long first, long long parts) {
  extern __shared__ Real shared[];
  const System system = {a, b, c, d, n};
  const int t = threadIdx.x % TEAM, at = t * EQUATIONS;
  const long long mine = first + (long long)blockIdx.x * SYSTEMS + threadIdx.x / TEAM;
  const bool live = mine < parts;
  const long long part = live ? mine : parts - 1;
  Rows rows;
  system.rows(rows, part * PART_ROWS + at, PART_ROWS - at);
  const Real firstA = rows.a[0], firstB = rows.b[0], firstC = rows.c[0], firstD = rows.d[0]; // thread 0's
  // The first row is known as what is to the left, the last and what follows
  // as what is to the right.
#pragma unroll
  for (int i = 0; i < EQUATIONS; i++) {
    const bool low = at + i == 0, high = at + i >= PART_ROWS - 1;
    rows.a[i] = low ? Real(-1) : high ? Real(0) : rows.a[i];
    rows.b[i] = low || high ? Real(1) : rows.b[i];
    rows.c[i] = low ? Real(0) : high ? Real(-1) : rows.c[i];
    rows.d[i] = low || high ? Real(0) : rows.d[i];
  }
  const Part whole = conquer(blockOf(rows), shared);
  // solved is row i of the thread in terms of the first and last unknown.
  const auto solved = [&](Real ra, Real rc, Real rd) {
    return Equation{-ra * whole.before.a - rc * whole.after.a, -ra * whole.before.c - rc * whole.after.c,
                    rd - ra * whole.before.d - rc * whole.after.d};
  };
  if (!live) return;
  if (t == 0) {
    const Equation x = solved(rows.a[1], rows.c[1], rows.d[1]);
    ia[2 * part] = firstA;
    ib[2 * part] = firstB - firstC * x.a;
    ic[2 * part] = -firstC * x.c;
    id[2 * part] = firstD - firstC * x.d;
  }
  if (t == (PART_ROWS - 2) / EQUATIONS) {
    const int i = (PART_ROWS - 2) % EQUATIONS;
    const Equation x = solved(rows.a[i], rows.c[i], rows.d[i]);
    Real lastA, lastB, lastC, lastD;
    system.row(part * PART_ROWS + PART_ROWS - 1, lastA, lastB, lastC, lastD);
    ia[2 * part + 1] = -lastA * x.a;
    ib[2 * part + 1] = lastB - lastA * x.c;
    ic[2 * part + 1] = lastC;
    id[2 * part + 1] = lastD - lastA * x.d;
  }
}

// substitute solves sub-systems first … parts - 1, ix being the interface's
// solution.
extern "C" __global__ void __launch_bounds__(THREADS)
    substitute_parts(const Real *__restrict__ a, const Real *__restrict__ b, const Real *__restrict__ c, const Real *__restrict__ d,
                     const Real *__restrict__ ix, Real *__restrict__ x, long long n, long long first, long long parts) {
  extern __shared__ Real shared[];
  const System system = {a, b, c, d, n};
  const int t = threadIdx.x % TEAM, at = t * EQUATIONS;
  const long long mine = first + (long long)blockIdx.x * SYSTEMS + threadIdx.x / TEAM;
  const bool live = mine < parts;
  const long long part = live ? mine : parts - 1, from = part * PART_ROWS + at;
  Rows rows;
  system.rows(rows, from, PART_ROWS - at);
  const Real low = ix[2 * part], high = ix[2 * part + 1];
#pragma unroll
  for (int i = 0; i < EQUATIONS; i++) {
    const bool isFirst = at + i == 0, isLast = at + i >= PART_ROWS - 1;
    if (isFirst || isLast) {
      rows.a[i] = 0;
      rows.b[i] = 1;
      rows.c[i] = 0;
      rows.d[i] = isFirst ? low : high;
    }
  }
  const Part whole = conquer(blockOf(rows), shared);
  substitute(rows, whole.before.d, whole.after.d);
  if (!live) return;
  if (PART_ROWS % VECTOR == 0 && PART_ROWS % EQUATIONS == 0 && at + EQUATIONS <= PART_ROWS && from + EQUATIONS <= n) {
    store(x + from, rows.d);
    return;
  }
#pragma unroll
  for (int i = 0; i < EQUATIONS; i++) {
    if (at + i < PART_ROWS && from + i < n) x[from + i] = rows.d[i];
  }
}

#else

// whole solves a system that one block holds.
extern "C" __global__ void __launch_bounds__(THREADS)
    whole(const Real *__restrict__ a, const Real *__restrict__ b, const Real *__restrict__ c, const Real *__restrict__ d,
          Real *__restrict__ x, long long n) {
  extern __shared__ Real shared[];
  const System system = {a, b, c, d, n};
  const int from = threadIdx.x % TEAM * EQUATIONS;
  Rows rows;
#pragma unroll
  for (int i = 0; i < EQUATIONS; i++) system.row(from + i, rows.a[i], rows.b[i], rows.c[i], rows.d[i]);
  const Part all = conquer(blockOf(rows), shared);
  substitute(rows, all.before.d, all.after.d);
  if (threadIdx.x >= TEAM) return;
#pragma unroll
  for (int i = 0; i < EQUATIONS; i++) {
    if (from + i < n) x[from + i] = rows.d[i];
  }
}

#endif
