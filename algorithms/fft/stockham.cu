// stockham.cu: one pass of the FFT, see struct Pass.
//
// Moves 16·N bytes a transform (32·N in double precision) plus the twiddle
// tables.

#include "stockham.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    stockham(const Complex *__restrict__ in, Complex *__restrict__ out, const Complex *__restrict__ steps,
             const Complex *__restrict__ turns, long long columns) {
  extern __shared__ Complex shared[];
  Pass<SIZE, COLUMNS, POINTS, RADIX, SPLIT, STRIDE, NS, FINE_BITS, PAD_SHIFT, PAD_WIDTH>::run(in, out, steps, turns, columns,
                                                                                              blockIdx.x, shared, threadIdx.x);
}
