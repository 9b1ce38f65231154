// large_stay.cu: the FFT of N = SIZE elements by blocks that stay and take one
// transform after another. The elements of the next come into shared memory
// while this one is transformed in registers.
//
// Moves 16·N bytes a transform plus the twiddle table.

#include "stockham.cuh"
#include "ahead.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    stay(const Complex *__restrict__ in, Complex *__restrict__ out, const Complex *__restrict__ steps, int transforms) {
  extern __shared__ __align__(128) Complex next[];
  typedef Tile<SIZE, 1, POINTS, RADIX, SPLIT, false, false, PAD_SHIFT, PAD_WIDTH> Whole;
  Complex *exchange = next + SIZE;
  int thread = threadIdx.x;
  int t = blockIdx.x;
  const auto fetch = [&](const Complex *from) {
#pragma unroll 4 // all of them at once would take registers from the elements
    for (int k = 0; k < POINTS / 2; k++) {
      const int q = 2 * (thread + k * THREADS);
      copyPair(next + q, from + q);
    }
  };
  if (t < transforms) fetch(in + (long long)t * SIZE);
  for (; t < transforms; t += gridDim.x) {
    keep(thread);
    Complex v[POINTS];
    arrived();
#pragma unroll
    for (int k = 0; k < POINTS; k++) v[k] = oriented(next[thread + k * THREADS]);
    __syncthreads();
    if (t + int(gridDim.x) < transforms) fetch(in + (long long)(t + gridDim.x) * SIZE);
    Whole::first(v);
    Whole::rest(v, exchange, steps, thread);
    Complex *to = out + (long long)t * SIZE + thread;
#pragma unroll
    for (int k = 0; k < POINTS; k++) to[k * THREADS] = oriented(v[k]);
  }
}
