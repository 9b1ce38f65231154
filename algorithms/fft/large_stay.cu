// large_stay.cu: the FFT of N = SIZE elements by blocks that stay and take one
// transform after another. The elements of the next come into shared memory
// while this one is transformed in registers.
//
// With WIDE the fetch begins after the first exchange, which then has room
// for both parts of all elements where the next transform will lie: two
// barriers less for a shorter time to fetch in.
//
// Moves 16·N bytes a transform plus the twiddle table.

#include "stockham.cuh"
#include "ahead.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    stay(const Complex *__restrict__ in, Complex *__restrict__ out, const Complex *__restrict__ steps, int transforms) {
  extern __shared__ __align__(128) Complex next[];
  typedef Tile<SIZE, 1, POINTS, RADIX, SPLIT, false, false, PAD_SHIFT, PAD_WIDTH> Whole;
  Complex *exchange = next + NEXT;
  int thread = threadIdx.x;
  int t = blockIdx.x;
  const auto fetch = [&](const Complex *from) {
#pragma unroll FETCH // more at once take registers from the elements
    for (int k = 0; k < POINTS / 2; k++) {
      const int q = 2 * (thread + k * THREADS);
      copyPair(next + q, from + q);
    }
  };
  if (t < transforms) fetch(in + (long long)t * SIZE);
  for (; t < transforms; t += gridDim.x) {
    keep(thread);
    const auto fetchNext = [&]() {
      if (t + int(gridDim.x) < transforms) fetch(in + (long long)(t + gridDim.x) * SIZE);
    };
    Complex v[POINTS];
    arrived();
#pragma unroll
    for (int k = 0; k < POINTS; k++) v[k] = oriented(next[thread + k * THREADS]);
#if WIDE
    typedef Tile<SIZE, 1, POINTS, RADIX, false, false, false, WIDE_SHIFT, WIDE_WIDTH> Wide;
    Wide::first(v);
    __syncthreads();
    Wide::second(v, next, steps, thread, fetchNext);
    Whole::third(v, exchange, steps, thread);
#else
    __syncthreads();
    fetchNext();
    Whole::first(v);
    Whole::rest(v, exchange, steps, thread);
#endif
    Complex *to = out + (long long)t * SIZE + thread;
#pragma unroll
    for (int k = 0; k < POINTS; k++) to[k * THREADS] = oriented(v[k]);
  }
}
