// The least error of all patterns, and the match behind it.
//
// A key orders matches: the bits of the error, which is not negative, above
// the place (k·S + j)·G + g of pattern, shift and gain. The least key is the
// least error, and of equal errors the lowest pattern, shift and gain.
//
// Defines: S, G, THREADS of a block of the kernel that calls finish.
#pragma once

typedef unsigned long long Key;

#define ALL 0xffffffffu
#define NONE 0xfffffffffffffffeull   // above every match
#define EMPTY 0xffffffffffffffffull  // no key yet
#define INFINITE __int_as_float(0x7f800000)

struct __align__(16) Match {
  int pattern, shift, gain;
  float squared;
};

__device__ __forceinline__ Key key_of(float squared, int pattern, int shift, int gain) {
  return static_cast<Key>(__float_as_uint(squared)) << 33 |
         ((static_cast<Key>(pattern) * S + static_cast<unsigned>(shift)) * G + static_cast<unsigned>(gain));
}

// The least key of a block, in its first thread.
__device__ __forceinline__ Key block_least(Key least) {
  __shared__ Key warps[THREADS / 32];
#pragma unroll
  for (int d = 16; d > 0; d /= 2) {
    const Key other = __shfl_xor_sync(ALL, least, d);
    if (other < least) least = other;
  }
  __syncthreads();  // until others have read what a former call left
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = least;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < THREADS / 32; i++) {
      if (warps[i] < least) least = warps[i];
    }
  }
  return least;
}

// A load for loops that wait: the compiler assumes that the value of __ldcv does
// not change, and the simulator interrupts no other load.
__device__ __forceinline__ Key awaited(const Key* slot) {
#ifdef BENCH_SIM
  return __ldcv(slot);
#else
  return *static_cast<const volatile Key*>(slot);
#endif
}

// The least of all threads' keys of all blocks. Every block but the last puts
// its key into its slot; the last, which starts when all others have, takes
// them out, so that the next launch finds all slots empty again. A key is one
// word, and so arrives whole: no fence.
__device__ __forceinline__ void finish(Key least, Key* slots, Match* result) {
  least = block_least(least);
  if (blockIdx.x < gridDim.x - 1) {
    if (threadIdx.x == 0) *static_cast<volatile Key*>(slots + blockIdx.x) = least;
    return;
  }
  if (threadIdx.x > 0) least = NONE;
  for (unsigned i = threadIdx.x; i < gridDim.x - 1; i += THREADS) {
    Key other;
    do {
      other = awaited(slots + i);
    } while (other == EMPTY);
    slots[i] = EMPTY;
    if (other < least) least = other;
  }
  least = block_least(least);
  if (threadIdx.x > 0) return;
  Key place = least & ((1ull << 33) - 1);
  Match m;
  m.gain = static_cast<int>(place % G);
  place /= G;
  m.shift = static_cast<int>(place % S);
  m.pattern = static_cast<int>(place / S);
  m.squared = __uint_as_float(static_cast<unsigned>(least >> 33));
  *result = m;
}
