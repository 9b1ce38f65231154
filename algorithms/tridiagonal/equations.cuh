// equations.cuh: elimination in registers. REAL is float or double. C++14, so
// that NVRTC 10.2 compiles it.

typedef REAL Real;

// Equation is x + a·left + c·right = d: an unknown in terms of the next
// unknowns to the left and to the right that are not yet eliminated.
struct Equation {
  Real a, c, d;
};

// Pair is the first and the last unknown of a block of rows in terms of the
// last unknown of the block to the left and the first of that to the right.
struct Pair {
  Equation first, last;
};

__device__ __forceinline__ float reciprocal(float x) {
#ifdef BENCH_SIM
  return 1.0f / x;
#else
  float r; // within 1 ulp (PTX ISA, rcp.approx)
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
#endif
}
__device__ __forceinline__ double reciprocal(double x) {
#ifdef BENCH_SIM
  return 1.0 / x;
#else
  // Two Newton steps from 20 bits (PTX ISA, rcp.approx.ftz.f64): unlike a
  // division, it has no branch for numbers that are not normal.
  double r;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
  r = fma(r, fma(-x, r, 1.0), r);
  return fma(r, fma(-x, r, 1.0), r);
#endif
}

// eliminate turns ROWS consecutive equations a·x' + b·x + c·x" = d, b being
// 1 where UNIT is set, into equations in terms of the unknowns before the first
// and after the last of them; b is scratch afterwards.
template <int ROWS, bool UNIT, int SIZE>
__device__ __forceinline__ void eliminate(Real (&a)[SIZE], Real (&b)[SIZE], Real (&c)[SIZE], Real (&d)[SIZE]) {
  if (!UNIT) {
    const Real r = reciprocal(b[0]);
    a[0] *= r;
    c[0] *= r;
    d[0] *= r;
  }
#pragma unroll
  for (int i = 1; i < ROWS; i++) {
    const Real r = reciprocal((UNIT ? Real(1) : b[i]) - a[i] * c[i - 1]);
    d[i] = (d[i] - a[i] * d[i - 1]) * r;
    c[i] *= r;
    a[i] *= -a[i - 1] * r;
  }
#pragma unroll
  for (int i = ROWS - 2; i >= 0; i--) {
    d[i] -= c[i] * d[i + 1];
    a[i] -= c[i] * a[i + 1];
    c[i] *= -c[i + 1];
  }
}

// combine eliminates from e its neighbours, whose equations are left and
// right: one row of one step of cyclic reduction.
__device__ __forceinline__ Equation combine(Equation e, Equation left, Equation right) {
  const Real r = reciprocal(Real(1) - e.a * left.c - e.c * right.a);
  return {-e.a * left.a * r, -e.c * right.c * r, (e.d - e.a * left.d - e.c * right.d) * r};
}

// join solves for the two unknowns at the seam of two blocks, the last of the
// left block and the first of the right, in terms of the unknowns around both.
__device__ __forceinline__ Pair join(Equation last, Equation first) {
  const Real r = reciprocal(Real(1) - last.c * first.a);
  return {{-first.a * last.a * r, first.c * r, (first.d - first.a * last.d) * r},
          {last.a * r, -last.c * first.c * r, (last.d - last.c * first.d) * r}};
}

// beforeSeam carries an equation of the left block, in terms of the seam's
// right unknown, over to what is around both blocks; afterSeam one of the
// right block.
__device__ __forceinline__ Equation beforeSeam(Equation e, Pair seam) {
  return {e.a - e.c * seam.first.a, -e.c * seam.first.c, e.d - e.c * seam.first.d};
}
__device__ __forceinline__ Equation afterSeam(Equation e, Pair seam) {
  return {-e.a * seam.last.a, e.c - e.a * seam.last.c, e.d - e.a * seam.last.d};
}

// merge makes one block of two neighbours.
__device__ __forceinline__ Pair merge(Pair left, Pair right) {
  const Pair seam = join(left.last, right.first);
  return {beforeSeam(left.first, seam), afterSeam(right.last, seam)};
}
