// ahead.cuh: copies from global to shared memory that run while the thread
// goes on (compute capability 8.0 on). The simulator copies at once.

// copyPair starts the copy of two elements, both places aligned to 16 bytes.
__device__ __forceinline__ void copyPair(Complex *to, const Complex *from) {
#ifdef BENCH_SIM
  to[0] = from[0];
  to[1] = from[1];
#else
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(unsigned(__cvta_generic_to_shared(to))), "l"(from) : "memory");
#endif
}

// copied waits until all copies of this thread are there.
__device__ __forceinline__ void copied() {
#ifndef BENCH_SIM
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

// arrived waits until all copies of all threads of the block are there.
__device__ __forceinline__ void arrived() {
  copied();
  __syncthreads();
}

// keep hides from the compiler that the thread's number is the same in every
// round of a loop: what it would keep from round to round takes the registers
// that the elements need.
__device__ __forceinline__ void keep(int &thread) { asm volatile("" : "+r"(thread)); }
