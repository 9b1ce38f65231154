// stockham.cl: one pass of the FFT in OpenCL C, with the steps, tables, places in local memory and traffic of
// stockham.cu (struct Pass). What templates do there, the host does here: STEPS is the pass's steps in order, FIRST(radix) and
// then NEXT(radix, results that lie together, those before the step before, that step's radix, place in the table, last).
//
// Defines: DOUBLE, INVERSE, SIZE, COLUMNS, POINTS, RADIX, SPLIT, STRIDE, NS, FINE_BITS, PAD_SHIFT, PAD_WIDTH, THREADS, STEPS.

#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double Real;
typedef double2 Complex;
#define R(X) (X)
#else
typedef float Real;
typedef float2 Complex;
#define R(X) (X##f)
#endif

#define UNROLL _Pragma("unroll")

Complex times(Complex a, Complex b) { return (Complex)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

// oriented exchanges real and imaginary part for the inverse transform.
Complex oriented(Complex z) {
#if INVERSE
  return z.yx;
#else
  return z;
#endif
}

// cosine is cos(2πk/64) for k in 0…63.
Real cosine(const int k) {
  const int folded = k > 32 ? 64 - k : k;
  const Real sign = folded > 16 ? -1 : 1;
  switch (folded > 16 ? 32 - folded : folded) {
  case 0: return sign;
  case 1: return R(0.99518472667219688624483) * sign;
  case 2: return R(0.98078528040323044912618) * sign;
  case 3: return R(0.95694033573220886493579) * sign;
  case 4: return R(0.92387953251128675612818) * sign;
  case 5: return R(0.88192126434835502971275) * sign;
  case 6: return R(0.83146961230254523707878) * sign;
  case 7: return R(0.77301045336273696081090) * sign;
  case 8: return R(0.70710678118654752440084) * sign;
  case 9: return R(0.63439328416364549821517) * sign;
  case 10: return R(0.55557023301960222474283) * sign;
  case 11: return R(0.47139673682599764855638) * sign;
  case 12: return R(0.38268343236508977172845) * sign;
  case 13: return R(0.29028467725446236763619) * sign;
  case 14: return R(0.19509032201612826784828) * sign;
  case 15: return R(0.09801714032956060199419) * sign;
  }
  return 0;
}

// turn multiplies z by exp(-2πik/64); k is known where it is inlined.
Complex turn(Complex z, const int k) {
  const Real root = R(0.70710678118654752440084);
  switch (k & 63) {
  case 0: return z;
  case 16: return (Complex)(z.y, -z.x);
  case 32: return -z;
  case 48: return (Complex)(-z.y, z.x);
  case 8: return (Complex)((z.x + z.y) * root, (z.y - z.x) * root);
  case 24: return (Complex)((z.y - z.x) * root, (z.x + z.y) * -root);
  case 40: return (Complex)((z.x + z.y) * -root, (z.x - z.y) * root);
  case 56: return (Complex)((z.x - z.y) * root, (z.x + z.y) * root);
  }
  return times(z, (Complex)(cosine(k & 63), -cosine((k + 48) & 63)));
}

// dft2, dft4, … transform as many values, in natural order.
void dft2(Complex *v) {
  const Complex a = v[0];
  v[0] = a + v[1];
  v[1] = a - v[1];
}

void dft4(Complex *v) {
  const Complex a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = turn(v[1] - v[3], 16);
  v[0] = a + c;
  v[1] = b + d;
  v[2] = a - c;
  v[3] = b - d;
}

// DFT makes one of N values by A columns of B, in decimation in time.
#define DFT(N, A, B)                                                                      \
  void dft##N(Complex *v) {                                                               \
    Complex u[N];                                                                         \
    UNROLL for (int n = 0; n < B; n++) {                                                  \
      Complex a[A];                                                                       \
      UNROLL for (int m = 0; m < A; m++) a[m] = v[m * B + n];                             \
      dft##A(a);                                                                          \
      UNROLL for (int m = 0; m < A; m++) u[m * B + n] = turn(a[m], n * m * (64 / N));     \
    }                                                                                     \
    UNROLL for (int m = 0; m < A; m++) {                                                  \
      Complex b[B];                                                                       \
      UNROLL for (int n = 0; n < B; n++) b[n] = u[m * B + n];                             \
      dft##B(b);                                                                          \
      UNROLL for (int n = 0; n < B; n++) v[m + A * n] = b[n];                             \
    }                                                                                     \
  }

// LOG2(N) of powers of two to 64, and LOWEST(N) of the lowest bit set in a number below.
#define LOG2(N) ((N) >= 64 ? 6 : (N) >= 32 ? 5 : (N) >= 16 ? 4 : (N) >= 8 ? 3 : (N) >= 4 ? 2 : (N) >= 2 ? 1 : 0)
#define LOWEST(N) ((N)&1 ? 0 : (N)&2 ? 1 : (N)&4 ? 2 : (N)&8 ? 3 : (N)&16 ? 4 : 5)

enum { LANES = SIZE / POINTS };

#define BY_COLUMN_IN (STRIDE > 1)
#define BY_COLUMN_OUT (NS > 1)

// lane and column of a work-item, at first and at last.
int lane_in(int thread) { return BY_COLUMN_IN ? thread / COLUMNS : thread % LANES; }
int column_in(int thread) { return BY_COLUMN_IN ? thread % COLUMNS : thread / LANES; }
int lane_out(int thread) { return BY_COLUMN_OUT ? thread / COLUMNS : thread % LANES; }
int column_out(int thread) { return BY_COLUMN_OUT ? thread % COLUMNS : thread / LANES; }

// spread is where output 0 of butterfly i goes when ns outputs already lie together.
int spread(const int ns, const int radix, int i) { return i / ns * (ns * radix) + i % ns; }

int padded(int a) { return a + (a >> PAD_SHIFT) * PAD_WIDTH; }

// place in local memory; additive over numbers without common bits.
int place(int column, int index) { return padded(BY_COLUMN_IN ? index * COLUMNS + column : column * SIZE + index); }

// distinct sets of twiddle factors that a work-item's butterflies have.
#define DISTINCT(RADIX_OF, RESULTS)                                     \
  ((RESULTS) <= LANES                                    ? 1            \
   : (RESULTS) / LANES < POINTS / (RADIX_OF) ? (RESULTS) / LANES        \
                                             : POINTS / (RADIX_OF))

// BUTTERFLIES makes the butterflies of one radix; powers are w^1, w^2, w^4, … of each distinct factor.
#define BUTTERFLIES(N)                                                                             \
  void butterflies##N(Complex *v, const int ns, const Complex *powers) {                           \
    UNROLL for (int j = 0; j < POINTS / N; j++) {                                                  \
      Complex u[N];                                                                                \
      UNROLL for (int m = 0; m < N; m++) u[m] = v[j + m * (POINTS / N)];                           \
      if (ns > 1) {                                                                                \
        Complex w[N];                                                                              \
        UNROLL for (int m = 1; m < N; m++) {                                                       \
          const Complex low = powers[j % DISTINCT(N, ns) * LOG2(N) + LOWEST(m)];                   \
          w[m] = (m & (m - 1)) == 0 ? low : times(w[m & (m - 1)], low);                            \
          u[m] = times(u[m], w[m]);                                                                \
        }                                                                                          \
      }                                                                                            \
      dft##N(u);                                                                                   \
      UNROLL for (int m = 0; m < N; m++) v[j + m * (POINTS / N)] = u[m];                           \
    }                                                                                              \
  }

BUTTERFLIES(2)
#if RADIX >= 4
BUTTERFLIES(4)
#endif
#if RADIX >= 8
DFT(8, 2, 4)
BUTTERFLIES(8)
#endif
#if RADIX >= 16
DFT(16, 4, 4)
BUTTERFLIES(16)
#endif
#if RADIX >= 32
DFT(32, 4, 8)
BUTTERFLIES(32)
#endif
#if RADIX >= 64
DFT(64, 8, 8)
BUTTERFLIES(64)
#endif

#if SPLIT
typedef Real Word;
#else
typedef Complex Word;
#endif

// target is where element k of a work-item goes after a step, beside the base.
int target(const int ns, const int radix, const int k) {
  const int groups = POINTS / radix;
  return place(0, spread(ns, radix, k % groups * LANES) + k / groups * ns);
}

// move hands the results of a step of this radix, after which ns·radix lie together, to the work-items of the next.
void move(Complex *v, __local Word *shared, const int from, const int to, const int ns, const int radix) {
#if SPLIT
  UNROLL for (int k = 0; k < POINTS; k++) shared[from + target(ns, radix, k)] = v[k].x;
  barrier(CLK_LOCAL_MEM_FENCE);
  UNROLL for (int k = 0; k < POINTS; k++) v[k].x = shared[to + place(0, k * LANES)];
  barrier(CLK_LOCAL_MEM_FENCE);
  UNROLL for (int k = 0; k < POINTS; k++) shared[from + target(ns, radix, k)] = v[k].y;
  barrier(CLK_LOCAL_MEM_FENCE);
  UNROLL for (int k = 0; k < POINTS; k++) v[k].y = shared[to + place(0, k * LANES)];
#else
  UNROLL for (int k = 0; k < POINTS; k++) shared[from + target(ns, radix, k)] = v[k];
  barrier(CLK_LOCAL_MEM_FENCE);
  UNROLL for (int k = 0; k < POINTS; k++) v[k] = shared[to + place(0, k * LANES)];
#endif
}

// rotation is exp(-2πix/(NS·SIZE)), x being a multiple of factor: from the table, and a Taylor polynomial for the rest.
Complex rotation(__global const Complex *turns, const int x, const int factor) {
  const Complex c = turns[x >> FINE_BITS];
  if (factor >= 1 << FINE_BITS) return c;
  const Real a = (Real)(x & ((1 << FINE_BITS) - 1)) * (Real)(R(-6.283185307179586476925) / (NS * SIZE));
  const Real q = a * a;
#ifdef DOUBLE
  const Real cosm1 = q * (-0.5 + q * (1.0 / 24 - q * (1.0 / 720)));
  const Real sine = a + a * (q * (-1.0 / 6 + q * (1.0 / 120 - q * (1.0 / 5040))));
#else
  const Real cosm1 = q * -0.5f;
  const Real sine = a + a * (q * (-1.0f / 6));
#endif
  return (Complex)(c.x + (c.x * cosm1 - c.y * sine), c.y + (c.x * sine + c.y * cosm1));
}

#define FIRST(N) butterflies##N(v, 1, 0);

#define NEXT(N, RESULTS, BEFORE, RADIX_BEFORE, TABLE, LAST)                                                           \
  {                                                                                                                   \
    const int lane = LAST ? lane_out(thread) : lane_in(thread), column = LAST ? column_out(thread) : column_in(thread); \
    Complex powers[DISTINCT(N, RESULTS) * LOG2(N)];                                                                   \
    UNROLL for (int j = 0; j < DISTINCT(N, RESULTS); j++) {                                                           \
      UNROLL for (int b = 0; b < LOG2(N); b++)                                                                        \
        powers[j * LOG2(N) + b] = steps[TABLE + b * RESULTS + (lane + j * LANES) % RESULTS];                          \
    }                                                                                                                 \
    move(v, shared, place(column_in(thread), spread(BEFORE, RADIX_BEFORE, lane_in(thread))), place(column, lane), BEFORE, RADIX_BEFORE); \
    butterflies##N(v, RESULTS, powers);                                                                               \
    if (!LAST) barrier(CLK_LOCAL_MEM_FENCE);                                                                          \
  }

__kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void
stockham(__global const Complex *restrict in, __global Complex *restrict out, __global const Complex *restrict steps,
         __global const Complex *restrict turns, long columns
#if RADIX < SIZE
         , __local Word *shared
#endif
) {
  const int thread = get_local_id(0);
  const long first = (long)get_group_id(0) * COLUMNS;
  Complex v[POINTS];
  {
    const long column = first + column_in(thread);
    const int i = (int)(column & (STRIDE - 1));
    __global const Complex *from = in + (column - i) * SIZE + i + (long)lane_in(thread) * STRIDE;
    if (column < columns) {
      UNROLL for (int k = 0; k < POINTS; k++) v[k] = oriented(from[(long)k * (LANES * STRIDE)]);
    } else {
      UNROLL for (int k = 0; k < POINTS; k++) v[k] = (Complex)(0);
    }
  }
#if NS > 1
  {
    const int e = (int)((first + column_in(thread)) & (STRIDE - 1)) % NS;
    Complex w[POINTS], step[LOG2(POINTS)];
    UNROLL for (int b = 0; b < LOG2(POINTS); b++) step[b] = rotation(turns, e * (LANES << b), LANES << b);
    w[0] = rotation(turns, e * lane_in(thread), 1);
    v[0] = times(v[0], w[0]);
    UNROLL for (int k = 1; k < POINTS; k++) {
      w[k] = times(w[k & (k - 1)], step[LOWEST(k)]);
      v[k] = times(v[k], w[k]);
    }
  }
#endif
  STEPS
  const long column = first + column_out(thread);
  const int i = (int)(column & (STRIDE - 1));
  __global Complex *to = out + (column - i) * SIZE + spread(NS, SIZE, i) + (long)lane_out(thread) * NS;
  if (column < columns) {
    UNROLL for (int k = 0; k < POINTS; k++) to[(long)k * (LANES * NS)] = oriented(v[k]);
  }
}
