// methods.cl: the methods of cr.cu, pcr.cu, lf.cu and wm.cu in OpenCL C, exchanging through local memory (SHUFFLE = 0):
// THREADS work-items take THREADS / TEAM systems of TEAM·EQUATIONS rows, a work-item EQUATIONS consecutive ones.
//
// Defines: DOUBLE, EQUATIONS, THREADS, TEAM, RADIX, their logarithms TEAM_LEVELS and RADIX_LEVELS, BUFFERS (1 to 3), and one of METHOD_cr,
// METHOD_pcr, METHOD_lf and METHOD_wm. Moves 5 values per row, each once. shared holds BUFFERS times EQUATIONS·THREADS values, and
// at least the boards of the method: 6·THREADS, or 12·THREADS of lf and wm. Steps are counted by their levels, so that
// compilers unroll them and no step divides.

#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double Real;
#else
typedef float Real;
#endif

// Whatever compiler: rows that are passed by pointer to a function that is called lie in memory, not in registers.
#define INLINE static inline __attribute__((always_inline))

enum { N = TEAM * EQUATIONS, SYSTEMS = THREADS / TEAM, ROWS = THREADS * EQUATIONS, LAST = EQUATIONS - 1, WAVE = BUFFERS == 3 ? 3 : 1 };

// Equation and Pair are those of equations.cuh.
typedef struct {
  Real a, c, d;
} Equation;
typedef struct {
  Equation first, last;
} Pair;

// Rows are a work-item's equations, whose b is 1.
typedef struct {
  Real a[EQUATIONS], c[EQUATIONS], d[EQUATIONS];
} Rows;

INLINE Equation equation(Real a, Real c, Real d) {
  const Equation e = {a, c, d};
  return e;
}
INLINE Pair pair(Equation first, Equation last) {
  const Pair p = {first, last};
  return p;
}
INLINE Equation row(const Rows *rows, const int i) { return equation(rows->a[i], rows->c[i], rows->d[i]); }

// reciprocal is 1/x. No standard says how exact native_recip is: a Newton step doubles its digits. A division
// takes several times as long on NVIDIA's GPUs.
INLINE Real reciprocal(Real x) {
#ifdef DOUBLE
  return 1 / x;
#else
  const Real r = native_recip(x);
  return r * (2 - x * r);
#endif
}

// put and get move an equation to a board, on which slots equations lie.
INLINE void put(__local Real *board, int slot, int slots, Equation e) {
  board[slot] = e.a;
  board[slot + slots] = e.c;
  board[slot + 2 * slots] = e.d;
}
INLINE Equation get(__local const Real *board, int slot, int slots) {
  return equation(board[slot], board[slot + slots], board[slot + 2 * slots]);
}

// spread_over is where row i lies in local memory (place in rows.cuh).
INLINE int spread_over(int i) { return i ^ ((i >> 5) & (EQUATIONS - 1)); }

// to_local puts values that the group has in the order of memory; from_local gets a work-item's rows.
INLINE void to_local(__local Real *shared, const Real *values) {
#pragma unroll
  for (int k = 0; k < EQUATIONS; k++) shared[spread_over(k * THREADS + (int)get_local_id(0))] = values[k];
}
INLINE void from_local(Real *values, __local const Real *shared) {
#pragma unroll
  for (int k = 0; k < EQUATIONS; k++) values[k] = shared[spread_over((int)get_local_id(0) * EQUATIONS + k)];
}

// read_rows leaves local memory free.
INLINE void read_rows(Rows *rows, __global const Real *ga, __global const Real *gb, __global const Real *gc, __global const Real *gd, long systems,
               __local Real *shared) {
  const long first = (long)get_group_id(0) * ROWS;
  const int last = (int)min(systems * N - first, (long)ROWS) - 1;
  Real b[EQUATIONS];
#pragma unroll
  for (int k = 0; k < EQUATIONS; k++) {
    const long at = first + min(k * THREADS + (int)get_local_id(0), last);
    rows->a[k] = ga[at];
    b[k] = gb[at];
    rows->c[k] = gc[at];
    rows->d[k] = gd[at];
  }
#pragma unroll
  for (int k = 0; k < EQUATIONS; k++) {
    const Real r = reciprocal(b[k]);
    rows->a[k] *= r;
    rows->c[k] *= r;
    rows->d[k] *= r;
  }
  // A buffer is written again after the barrier behind which its values were read.
  Real *parts[3] = {rows->a, rows->c, rows->d};
#pragma unroll
  for (int p = 0; p < 3; p += WAVE) {
#pragma unroll
    for (int i = p; i < p + WAVE; i++) to_local(shared + i % BUFFERS * ROWS, parts[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int i = p; i < p + WAVE; i++) from_local(parts[i], shared + i % BUFFERS * ROWS);
    if (BUFFERS != 2 || p == 2) barrier(CLK_LOCAL_MEM_FENCE);
  }
}

INLINE void write_rows(__global Real *gx, const Real *x, long systems, __local Real *shared) {
  const int t = get_local_id(0);
  const long first = (long)get_group_id(0) * ROWS;
  const int count = (int)min(systems * N - first, (long)ROWS);
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int k = 0; k < EQUATIONS; k++) shared[spread_over(t * EQUATIONS + k)] = x[k];
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int k = 0; k < EQUATIONS; k++) {
    const int i = k * THREADS + t;
    if (i < count) gx[first + i] = shared[spread_over(i)];
  }
}

// eliminate leaves the first `count` rows in terms of the unknowns before and after them (equations.cuh).
INLINE void eliminate(Rows *rows, const int count) {
  Real *a = rows->a, *c = rows->c, *d = rows->d;
#pragma unroll
  for (int i = 1; i < count; i++) {
    const Real r = reciprocal(1 - a[i] * c[i - 1]);
    d[i] = (d[i] - a[i] * d[i - 1]) * r;
    c[i] *= r;
    a[i] *= -a[i - 1] * r;
  }
#pragma unroll
  for (int i = count - 2; i >= 0; i--) {
    d[i] -= c[i] * d[i + 1];
    a[i] -= c[i] * a[i + 1];
    c[i] *= -c[i + 1];
  }
}

#if defined(METHOD_cr) || defined(METHOD_pcr)
// combine eliminates from e its neighbours: one row of a step of cyclic reduction.
INLINE Equation combine(Equation e, Equation left, Equation right) {
  const Real r = reciprocal(1 - e.a * left.c - e.c * right.a);
  return equation(-e.a * left.a * r, -e.c * right.c * r, (e.d - e.a * left.d - e.c * right.d) * r);
}

// reduce solves for the separators, the last rows of the work-items, by parallel cyclic reduction or by cyclic reduction. before is the
// solution of the work-item before. The first of two boards may still be read.
INLINE Real reduce(Equation e, Real *before, __local Real *shared) {
  const int thread = get_local_id(0), t = thread % TEAM;
#ifdef METHOD_pcr
#pragma unroll
  for (int level = 0; level < TEAM_LEVELS; level++) {
    __local Real *board = shared + (level % 2 ? 0 : 3 * THREADS); // two boards alternate
    const int step = 1 << level;
    put(board, thread, THREADS, e);
    barrier(CLK_LOCAL_MEM_FENCE);
    e = combine(e, get(board, t >= step ? thread - step : thread, THREADS), get(board, t + step < TEAM ? thread + step : thread, THREADS));
  }
  __local Real *d = shared + (TEAM_LEVELS % 2 ? 0 : 3 * THREADS) + (thread - t);
  d[t] = e.d;
#else
  __local Real *a = shared + 3 * THREADS + (thread - t), *c = a + THREADS, *d = c + THREADS;
  put(a, t, THREADS, e);
#pragma unroll
  for (int level = 0; level < TEAM_LEVELS; level++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const int step = 1 << level, i = (t + 1) * 2 * step - 1;
    if (i < TEAM) put(a, i, THREADS, combine(get(a, i, THREADS), get(a, i - step, THREADS), get(a, i + step < TEAM ? i + step : i, THREADS)));
  }
#pragma unroll
  for (int level = TEAM_LEVELS - 1; level >= 0; level--) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const int step = 1 << level, i = (2 * t + 1) * step - 1;
    if (i < TEAM) d[i] -= a[i] * (i >= step ? d[i - step] : (Real)0) + c[i] * d[i + step];
  }
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  *before = d[max(t - 1, 0)];
  return d[t];
}

INLINE void solve(Rows *rows, __local Real *shared) {
  const int thread = get_local_id(0), t = thread % TEAM;
  eliminate(rows, LAST);
  // The first unknown of the next work-item, in terms of two separators.
  put(shared, thread, THREADS, row(rows, 0));
  barrier(CLK_LOCAL_MEM_FENCE);
  const Equation next = get(shared, t + 1 < TEAM ? thread + 1 : thread, THREADS);
  const Real low = rows->a[LAST], high = rows->c[LAST];
  const Real r = reciprocal(1 - low * rows->c[LAST - 1] - high * next.a);
  const Equation e = equation(-low * rows->a[LAST - 1] * r, -high * next.c * r, (rows->d[LAST] - low * rows->d[LAST - 1] - high * next.d) * r);
  Real before;
  const Real x = reduce(e, &before, shared);
#pragma unroll
  for (int i = 0; i < LAST; i++) rows->d[i] -= rows->a[i] * before + rows->c[i] * x;
  rows->d[LAST] = x;
}
#else
// join, before_seam, after_seam and merge are those of equations.cuh.
INLINE Pair join(Equation last, Equation first) {
  const Real r = reciprocal(1 - last.c * first.a);
  return pair(equation(-first.a * last.a * r, first.c * r, (first.d - first.a * last.d) * r),
              equation(last.a * r, -last.c * first.c * r, (last.d - last.c * first.d) * r));
}
INLINE Equation before_seam(Equation e, Pair seam) { return equation(e.a - e.c * seam.first.a, -e.c * seam.first.c, e.d - e.c * seam.first.d); }
INLINE Equation after_seam(Equation e, Pair seam) { return equation(-e.a * seam.last.a, e.c - e.a * seam.last.c, e.d - e.a * seam.last.d); }
INLINE Pair merge(Pair left, Pair right) {
  const Pair seam = join(left.last, right.first);
  return pair(before_seam(left.first, seam), after_seam(right.last, seam));
}

// put_pair and get_pair move a pair to a board.
INLINE void put_pair(__local Real *board, int slot, int slots, Pair p) {
  put(board, slot, slots, p.first);
  put(board + 3 * slots, slot, slots, p.last);
}
INLINE Pair get_pair(__local const Real *board, int slot, int slots) { return pair(get(board, slot, slots), get(board + 3 * slots, slot, slots)); }

INLINE void substitute(Rows *rows, Real before, Real after) {
#pragma unroll
  for (int i = 0; i < EQUATIONS; i++) rows->d[i] -= rows->a[i] * before + rows->c[i] * after;
}

// BOARD is one of two, which alternate.
#define BOARD(TURN) (shared + (TURN) % 2 * 6 * THREADS)

#ifdef METHOD_lf
INLINE void solve(Rows *rows, __local Real *shared) {
  const int thread = get_local_id(0), t = thread % TEAM;
  eliminate(rows, EQUATIONS);
  const Equation own = row(rows, 0);
  Pair sum = pair(own, row(rows, LAST));
#pragma unroll
  for (int level = 0; level < TEAM_LEVELS; level++) {
    __local Real *board = BOARD(level);
    const int step = 1 << level, group = thread >> (level + 1), slots = THREADS >> (level + 1);
    if (thread % (2 * step) == step - 1) put_pair(board, group, slots, sum);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread & step) sum = merge(get_pair(board, group, slots), sum);
  }
  // The last unknown before the work-item's rows: before_d - before_c·first.
  __local Real *ends = BOARD(TEAM_LEVELS);
  ends[thread] = sum.last.d;
  ends[thread + THREADS] = sum.last.c;
  barrier(CLK_LOCAL_MEM_FENCE);
  const Real before_d = t > 0 ? ends[thread - 1] : (Real)0, before_c = t > 0 ? ends[thread - 1 + THREADS] : (Real)0;
  const Real r = reciprocal(1 - own.a * before_c);
  Real first = (own.d - own.a * before_d) * r, slope = own.c * r;
#pragma unroll
  for (int level = 0; level < TEAM_LEVELS; level++) {
    __local Real *board = BOARD(TEAM_LEVELS + 1 + level);
    const int step = 1 << level, group = thread >> (level + 1), slots = THREADS >> (level + 1);
    if (thread % (2 * step) == step) {
      board[group] = first;
      board[group + slots] = slope;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!(thread & step)) {
      first -= slope * board[group];
      slope *= -board[group + slots];
    }
  }
  __local Real *firsts = BOARD(2 * TEAM_LEVELS + 1);
  firsts[thread] = first;
  barrier(CLK_LOCAL_MEM_FENCE);
  substitute(rows, before_d - before_c * first, t + 1 < TEAM ? firsts[thread + 1] : (Real)0);
}
#else
INLINE void solve(Rows *rows, __local Real *shared) {
  const int thread = get_local_id(0);
  eliminate(rows, EQUATIONS);
  Pair block = pair(row(rows, 0), row(rows, LAST));
  Equation before = equation(-1, 0, 0), after = equation(0, -1, 0); // in terms of the unknowns around the block
#pragma unroll
  for (int level = 0; level < TEAM_LEVELS; level += RADIX_LEVELS) {
    __local Real *board = BOARD(level / RADIX_LEVELS);
    const int count = 1 << min(TEAM_LEVELS - level, RADIX_LEVELS), number = thread >> level, slots = THREADS >> level;
    Pair other[RADIX]; // by the exclusive or of its number with this block's
    if (thread % (1 << level) == 0) put_pair(board, number, slots, block);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 1; k < RADIX; k++) {
      if (k < count) other[k] = get_pair(board, number ^ k, slots);
    }
#pragma unroll
    for (int half_level = 0; half_level < RADIX_LEVELS; half_level++) {
      const int step = 1 << half_level;
      if (step < count) {
        const bool right = (number & step) != 0;
        const Pair low = right ? other[step] : block, high = right ? block : other[step];
        const Pair seam = join(low.last, high.first);
        block = pair(before_seam(low.first, seam), after_seam(high.last, seam));
        before = right ? after_seam(before, seam) : before_seam(before, seam);
        after = right ? after_seam(after, seam) : before_seam(after, seam);
#pragma unroll
        for (int k = 2 * step; k < RADIX; k += 2 * step) {
          if (k < count) {
            const Pair p = other[k], q = other[k + step];
            other[k] = right ? merge(q, p) : merge(p, q);
          }
        }
      }
    }
  }
  substitute(rows, before.d, after.d); // the whole system has no neighbours
}
#endif
#endif

__kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void
batched(__global const Real *restrict a, __global const Real *restrict b, __global const Real *restrict c, __global const Real *restrict d,
        __global Real *restrict x, long systems, __local Real *shared) {
  Rows rows;
  read_rows(&rows, a, b, c, d, systems, shared);
  solve(&rows, shared);
  write_rows(x, rows.d, systems, shared);
}
