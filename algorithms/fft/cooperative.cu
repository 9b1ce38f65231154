// cooperative.cu: all passes of an FFT of N = SIZE1·SIZE2(·SIZE3) elements in one
// kernel. All blocks run at once; in each pass, block b does the tiles b, b + blocks,
// …, and then all wait for each other.
//
// Moves 16·N bytes a transform and pass (32·N in double precision), as kernels one
// after the other do, plus the twiddle tables.

#include "stockham.cuh"

// gridSync waits until as many blocks as `goal` says have come here; `arrived` is zero when
// the kernel begins, and is not set back between the passes.
__device__ __forceinline__ void gridSync(unsigned *arrived, unsigned goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1u);
    while (*(volatile unsigned *)arrived < goal) {}
    __threadfence();
  }
  __syncthreads();
}

// tiles does a block's share of a pass over so many columns.
template <class P, int Columns>
__device__ __forceinline__ void tiles(const Complex *in, Complex *out, const Complex *steps, const Complex *turns, long long columns,
                                      void *shared) {
  for (int tile = blockIdx.x; tile < (columns + Columns - 1) / Columns; tile += gridDim.x) {
    int thread = threadIdx.x;
    asm volatile("" : "+r"(thread)); // keep no thread's constants in registers between the tiles
    P::run(in, out, steps, turns, columns, tile, shared, thread);
    __syncthreads();
  }
}

// No block reads an array before the pass that writes what it reads, so that nothing older
// is in its first-level cache.
extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    cooperative(const Complex *in, Complex *out, Complex *between, const Complex *__restrict__ steps1,
                const Complex *__restrict__ steps2, const Complex *__restrict__ turns2,
#if PASSES == 3
                const Complex *__restrict__ steps3, const Complex *__restrict__ turns3,
#endif
                unsigned *arrived, long long transforms) {
  extern __shared__ Complex shared[];
#if PASSES == 3
  constexpr int REST1 = SIZE2 * SIZE3, REST2 = SIZE1 * SIZE3, REST3 = SIZE1 * SIZE2;
  Complex *first = out, *second = between;
#else
  constexpr int REST1 = SIZE2, REST2 = SIZE1;
  Complex *first = between, *second = out;
#endif
  tiles<Pass<SIZE1, COLUMNS1, POINTS, RADIX, SPLIT, REST1, 1, 0, PAD_SHIFT1, PAD_WIDTH1>, COLUMNS1>(in, first, steps1, nullptr,
                                                                                                    transforms * REST1, shared);
  gridSync(arrived, gridDim.x);
  tiles<Pass<SIZE2, COLUMNS2, POINTS, RADIX, SPLIT, REST2, SIZE1, FINE_BITS2, PAD_SHIFT2, PAD_WIDTH2>, COLUMNS2>(
      first, second, steps2, turns2, transforms * REST2, shared);
#if PASSES == 3
  gridSync(arrived, 2 * gridDim.x);
  tiles<Pass<SIZE3, COLUMNS3, POINTS, RADIX, SPLIT, REST3, SIZE1 * SIZE2, FINE_BITS3, PAD_SHIFT3, PAD_WIDTH3>, COLUMNS3>(
      second, out, steps3, turns3, transforms * REST3, shared);
#endif
}
