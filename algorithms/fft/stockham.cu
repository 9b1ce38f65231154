// stockham.cu: one pass of the FFT of N = STRIDE·SIZE elements, after which
// sub-transforms of NS·SIZE elements are complete. A block takes COLUMNS
// columns i, that is the elements i, i + STRIDE, i + 2·STRIDE, … of a
// transform. A transform that fits one block is one pass with STRIDE = NS = 1.
//
// Moves 16·N bytes a transform (32·N in double precision) plus the twiddle
// tables.

#include "stockham.cuh"

// columnBase is where column i's outputs begin when NS outputs lie together.
__device__ __forceinline__ int columnBase(int i) { return (i / NS) * (NS * SIZE) + i % NS; }

#if NS > 1
// rotation is exp(-2πix/(NS·SIZE)): the table gives it for the multiples of
// 2^FINE_BITS, a Taylor polynomial to rounding error for the rest.
__device__ __forceinline__ Complex rotation(const Complex *turns, int x) {
  const Complex c = turns[x >> FINE_BITS];
#if FINE_BITS > 0
  const Real a = Real(x & ((1 << FINE_BITS) - 1)) * Real(-6.283185307179586476925 / (double(NS) * SIZE));
  const Real q = a * a;
#ifdef DOUBLE
  const Real cosm1 = q * (Real(-0.5) + q * (Real(1.0 / 24) - q * Real(1.0 / 720)));
  const Real sine = a + a * (q * (Real(-1.0 / 6) + q * (Real(1.0 / 120) - q * Real(1.0 / 5040))));
#else
  const Real cosm1 = q * Real(-0.5);
  const Real sine = a + a * (q * Real(-1.0 / 6));
#endif
  return {c.x + (c.x * cosm1 - c.y * sine), c.y + (c.x * sine + c.y * cosm1)};
#else
  return c;
#endif
}

// twiddle multiplies element m = lane + k·Lanes of column i by
// exp(-2πi·(i mod NS)·m/(NS·SIZE)).
template <int Lanes> __device__ __forceinline__ void twiddle(Complex (&v)[POINTS], const Complex *turns, int i, int lane) {
  Complex w[POINTS], step[log2of(POINTS)];
#pragma unroll
  for (int b = 0; b < log2of(POINTS); b++) step[b] = rotation(turns, (i % NS) * (Lanes << b));
  w[0] = rotation(turns, (i % NS) * lane);
  v[0] = v[0] * w[0];
#pragma unroll
  for (int k = 1; k < POINTS; k++) {
    w[k] = w[k & (k - 1)] * step[log2of(k)];
    v[k] = v[k] * w[k];
  }
}
#endif

// stockham transforms `columns` columns in all; steps are the tables of
// Tile::run, turns that of rotation.
extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    stockham(const Complex *__restrict__ in, Complex *__restrict__ out, const Complex *__restrict__ steps,
             const Complex *__restrict__ turns, long long columns) {
  extern __shared__ Complex shared[];
  typedef Tile<SIZE, COLUMNS, POINTS, RADIX, SPLIT, (STRIDE > 1), (NS > 1), PAD_SHIFT, PAD_WIDTH> Share;
  const int thread = threadIdx.x;
  const long long first = (long long)blockIdx.x * COLUMNS;
  Complex v[POINTS];
  {
    const int lane = Share::laneIn(thread);
    const long long column = first + Share::columnIn(thread);
    const int i = int(column % STRIDE);
    const Complex *from = in + (column - i) * SIZE + i + (long long)lane * STRIDE;
    if (column < columns) {
#pragma unroll
      for (int k = 0; k < POINTS; k++) v[k] = from[(long long)k * (Share::Lanes * STRIDE)];
    } else {
#pragma unroll
      for (int k = 0; k < POINTS; k++) v[k] = {0, 0};
    }
#if INVERSE
#pragma unroll
    for (int k = 0; k < POINTS; k++) v[k] = {v[k].y, v[k].x};
#endif
#if NS > 1
    twiddle<Share::Lanes>(v, turns, i, lane);
#endif
  }
  Share::run(v, shared, steps, thread);
  {
    const int lane = Share::laneOut(thread);
    const long long column = first + Share::columnOut(thread);
    const int i = int(column % STRIDE);
    Complex *to = out + (column - i) * SIZE + columnBase(i) + (long long)lane * NS;
    if (column < columns) {
#pragma unroll
      for (int k = 0; k < POINTS; k++) {
        Complex &at = to[(long long)k * (Share::Lanes * NS)];
#if INVERSE
        at = {v[k].y, v[k].x};
#else
        at = v[k];
#endif
      }
    }
  }
}
