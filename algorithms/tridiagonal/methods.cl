// methods.cl: the methods of cr.cu, pcr.cu, lf.cu and wm.cu in OpenCL C, exchanging through local memory (SHUFFLE = 0):
// THREADS work-items take THREADS / TEAM systems of TEAM·EQUATIONS rows, a work-item EQUATIONS consecutive ones.
//
// Defines: DOUBLE, EQUATIONS, THREADS, TEAM, RADIX, and one of METHOD_cr, METHOD_pcr, METHOD_lf and METHOD_wm. Moves 5 values per row, each
// once. shared holds EQUATIONS·THREADS values, and at least the boards of the method: 6·THREADS, or 12·THREADS of lf and wm.

#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double Real;
#else
typedef float Real;
#endif

enum { N = TEAM * EQUATIONS, SYSTEMS = THREADS / TEAM, LAST = EQUATIONS - 1 };

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

Equation equation(Real a, Real c, Real d) {
  const Equation e = {a, c, d};
  return e;
}
Pair pair(Equation first, Equation last) {
  const Pair p = {first, last};
  return p;
}
Equation row(const Rows *rows, const int i) { return equation(rows->a[i], rows->c[i], rows->d[i]); }

// spread_over is where row i lies in local memory (place in rows.cuh).
int spread_over(int i) { return i ^ ((i >> 5) & (EQUATIONS - 1)); }

// hand gives each work-item its rows of values that the group has in the order of memory.
void hand(Real *values, __local Real *shared) {
  const int t = get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int k = 0; k < EQUATIONS; k++) shared[spread_over(k * THREADS + t)] = values[k];
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int k = 0; k < EQUATIONS; k++) values[k] = shared[spread_over(t * EQUATIONS + k)];
}

void read_rows(Rows *rows, __global const Real *ga, __global const Real *gb, __global const Real *gc, __global const Real *gd, long systems,
               __local Real *shared) {
  const long first = (long)get_group_id(0) * SYSTEMS * N + get_local_id(0), end = systems * N - 1;
#pragma unroll
  for (int k = 0; k < EQUATIONS; k++) {
    const long at = min(first + k * THREADS, end);
    const Real r = 1 / gb[at];
    rows->a[k] = ga[at] * r;
    rows->c[k] = gc[at] * r;
    rows->d[k] = gd[at] * r;
  }
  hand(rows->a, shared);
  hand(rows->c, shared);
  hand(rows->d, shared);
  barrier(CLK_LOCAL_MEM_FENCE);
}

void write_rows(__global Real *gx, const Real *x, long systems, __local Real *shared) {
  const int t = get_local_id(0);
  const long first = (long)get_group_id(0) * SYSTEMS * N;
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int k = 0; k < EQUATIONS; k++) shared[spread_over(t * EQUATIONS + k)] = x[k];
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int k = 0; k < EQUATIONS; k++) {
    const int i = k * THREADS + t;
    if (first + i < systems * N) gx[first + i] = shared[spread_over(i)];
  }
}

// eliminate leaves the first `count` rows in terms of the unknowns before and after them (equations.cuh).
void eliminate(Rows *rows, const int count) {
  Real *a = rows->a, *c = rows->c, *d = rows->d;
#pragma unroll
  for (int i = 1; i < count; i++) {
    const Real r = 1 / (1 - a[i] * c[i - 1]);
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
Equation combine(Equation e, Equation left, Equation right) {
  const Real r = 1 / (1 - e.a * left.c - e.c * right.a);
  return equation(-e.a * left.a * r, -e.c * right.c * r, (e.d - e.a * left.d - e.c * right.d) * r);
}

// neighbour is the value of work-item `source` of the same system, or the own where there is none.
Real neighbour(Real mine, int source, __local Real *shared) {
  const int thread = get_local_id(0), t = thread % TEAM;
  shared[thread] = mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  const Real v = shared[source >= 0 && source < TEAM ? thread - t + source : thread];
  barrier(CLK_LOCAL_MEM_FENCE);
  return v;
}

// reduce solves for the separators, the last rows of the work-items: by parallel cyclic reduction, or by cyclic reduction.
Real reduce(Equation e, __local Real *shared) {
  const int thread = get_local_id(0), t = thread % TEAM;
#ifdef METHOD_pcr
  int board = 0;
  for (int step = 1; step < TEAM; step *= 2) {
    __local Real *a = shared + board, *c = a + THREADS, *d = c + THREADS;
    a[thread] = e.a;
    c[thread] = e.c;
    d[thread] = e.d;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int i = t >= step ? thread - step : thread, k = t + step < TEAM ? thread + step : thread;
    e = combine(e, equation(a[i], c[i], d[i]), equation(a[k], c[k], d[k]));
    board = 3 * THREADS - board; // two boards alternate
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return e.d;
#else
  __local Real *a = shared + (thread - t), *c = a + THREADS, *d = c + THREADS;
  a[t] = e.a;
  c[t] = e.c;
  d[t] = e.d;
  for (int step = 1; step < TEAM; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const int i = (t + 1) * 2 * step - 1;
    if (i < TEAM) {
      const int low = i - step, high = i + step < TEAM ? i + step : i;
      e = combine(equation(a[i], c[i], d[i]), equation(a[low], c[low], d[low]), equation(a[high], c[high], d[high]));
      a[i] = e.a;
      c[i] = e.c;
      d[i] = e.d;
    }
  }
  for (int step = TEAM / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const int i = (2 * t + 1) * step - 1;
    if (i < TEAM) d[i] -= a[i] * (i >= step ? d[i - step] : (Real)0) + c[i] * d[i + step];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const Real x = d[t];
  barrier(CLK_LOCAL_MEM_FENCE);
  return x;
#endif
}

void solve(Rows *rows, __local Real *shared) {
  const int t = get_local_id(0) % TEAM;
  eliminate(rows, LAST);
  // The first unknown of the next work-item, in terms of two separators.
  const Real a = neighbour(rows->a[0], t + 1, shared), c = neighbour(rows->c[0], t + 1, shared), d = neighbour(rows->d[0], t + 1, shared);
  const Real low = rows->a[LAST], high = rows->c[LAST];
  const Real r = 1 / (1 - low * rows->c[LAST - 1] - high * a);
  const Equation e = equation(-low * rows->a[LAST - 1] * r, -high * c * r, (rows->d[LAST] - low * rows->d[LAST - 1] - high * d) * r);
  const Real x = reduce(e, shared), before = neighbour(x, t - 1, shared);
#pragma unroll
  for (int i = 0; i < LAST; i++) rows->d[i] -= rows->a[i] * before + rows->c[i] * x;
  rows->d[LAST] = x;
}
#else
// join, before_seam, after_seam and merge are those of equations.cuh.
Pair join(Equation last, Equation first) {
  const Real r = 1 / (1 - last.c * first.a);
  return pair(equation(-first.a * last.a * r, first.c * r, (first.d - first.a * last.d) * r),
              equation(last.a * r, -last.c * first.c * r, (last.d - last.c * first.d) * r));
}
Equation before_seam(Equation e, Pair seam) { return equation(e.a - e.c * seam.first.a, -e.c * seam.first.c, e.d - e.c * seam.first.d); }
Equation after_seam(Equation e, Pair seam) { return equation(-e.a * seam.last.a, e.c - e.a * seam.last.c, e.d - e.a * seam.last.d); }
Pair merge(Pair left, Pair right) {
  const Pair seam = join(left.last, right.first);
  return pair(before_seam(left.first, seam), after_seam(right.last, seam));
}

// put and get move a pair to a board, on which slots pairs lie.
void put(__local Real *board, int slot, int slots, Pair p) {
  board[slot] = p.first.a;
  board[slot + slots] = p.first.c;
  board[slot + 2 * slots] = p.first.d;
  board[slot + 3 * slots] = p.last.a;
  board[slot + 4 * slots] = p.last.c;
  board[slot + 5 * slots] = p.last.d;
}
Pair get(__local const Real *board, int slot, int slots) {
  return pair(equation(board[slot], board[slot + slots], board[slot + 2 * slots]),
              equation(board[slot + 3 * slots], board[slot + 4 * slots], board[slot + 5 * slots]));
}

void substitute(Rows *rows, Real before, Real after) {
#pragma unroll
  for (int i = 0; i < EQUATIONS; i++) rows->d[i] -= rows->a[i] * before + rows->c[i] * after;
}

#ifdef METHOD_lf
void solve(Rows *rows, __local Real *shared) {
  const int thread = get_local_id(0), t = thread % TEAM;
  int turn = 0; // of two boards
#define BOARD (shared + turn * 6 * THREADS)
  eliminate(rows, EQUATIONS);
  const Equation own = row(rows, 0);
  Pair sum = pair(own, row(rows, LAST));
  for (int step = 1; step < TEAM; step *= 2, turn = 1 - turn) {
    const int group = thread / (2 * step), source = group * (2 * step) + step - 1, slots = THREADS / (2 * step);
    if (thread == source) put(BOARD, group, slots, sum);
    barrier(CLK_LOCAL_MEM_FENCE);
    const Pair low = get(BOARD, group, slots);
    if (thread & step) sum = merge(low, sum);
  }
  // The last unknown before the work-item's rows: before_d - before_c·first.
  BOARD[thread] = sum.last.d;
  BOARD[thread + THREADS] = sum.last.c;
  barrier(CLK_LOCAL_MEM_FENCE);
  const Real before_d = t > 0 ? BOARD[thread - 1] : (Real)0, before_c = t > 0 ? BOARD[thread - 1 + THREADS] : (Real)0;
  turn = 1 - turn;
  const Real r = 1 / (1 - own.a * before_c);
  Real first = (own.d - own.a * before_d) * r, slope = own.c * r;
  for (int step = 1; step < TEAM; step *= 2, turn = 1 - turn) {
    const int group = thread / (2 * step), source = group * (2 * step) + step, slots = THREADS / (2 * step);
    if (thread == source) {
      BOARD[group] = first;
      BOARD[group + slots] = slope;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const Real high_d = BOARD[group], high_c = BOARD[group + slots];
    if (!(thread & step)) {
      first -= slope * high_d;
      slope *= -high_c;
    }
  }
  BOARD[thread] = first;
  barrier(CLK_LOCAL_MEM_FENCE);
  substitute(rows, before_d - before_c * first, t + 1 < TEAM ? BOARD[thread + 1] : (Real)0);
}
#else
void solve(Rows *rows, __local Real *shared) {
  const int thread = get_local_id(0);
  int turn = 0;
  eliminate(rows, EQUATIONS);
  Pair block = pair(row(rows, 0), row(rows, LAST));
  Equation before = equation(-1, 0, 0), after = equation(0, -1, 0); // in terms of the unknowns around the block
  for (int size = 1, count; size < TEAM; size *= count, turn = 1 - turn) {
    __local Real *board = shared + turn * 6 * THREADS;
    Pair other[RADIX]; // by the exclusive or of its number with this block's
    count = min(TEAM / size, RADIX);
    if (thread % size == 0) put(board, thread / size, THREADS / size, block);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 1; k < RADIX; k++) {
      if (k < count) other[k] = get(board, thread / size ^ k, THREADS / size);
    }
#pragma unroll
    for (int step = 1; step < RADIX; step *= 2) {
      if (step < count) {
        const bool right = (thread / size & step) != 0;
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
