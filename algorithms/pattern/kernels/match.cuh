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
#define NONE 0xffffffffffffffffull  // above every match
#define INFINITE __int_as_float(0x7f800000)

struct __align__(16) Match {
  int pattern, shift, gain;
  float squared;
};

// What blocks share: the least key so far, and how many have finished.
struct State {
  Key least;
  unsigned finished, padding;
};

__device__ __forceinline__ Key key_of(float squared, int pattern, int shift, int gain) {
  return static_cast<Key>(__float_as_uint(squared)) << 33 |
         ((static_cast<Key>(pattern) * S + static_cast<unsigned>(shift)) * G + static_cast<unsigned>(gain));
}

// The least of all threads' keys of all blocks: the block that finishes last
// writes the match and leaves state as the next launch needs it.
__device__ __forceinline__ void finish(Key least, State* state, Match* result) {
  __shared__ Key warps[THREADS / 32];
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (int d = 16; d > 0; d /= 2) {
    const Key other = __shfl_xor_sync(ALL, least, d);
    if (other < least) least = other;
  }
  if (lane == 0) warps[threadIdx.x / 32] = least;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int i = 1; i < THREADS / 32; i++) {
    if (warps[i] < least) least = warps[i];
  }
  atomicMin(&state->least, least);
  __threadfence();
  if (atomicInc(&state->finished, gridDim.x - 1) < gridDim.x - 1) return;
  __threadfence();
  least = atomicExch(&state->least, NONE);
  Key place = least & ((1ull << 33) - 1);
  Match m;
  m.gain = static_cast<int>(place % G);
  place /= G;
  m.shift = static_cast<int>(place % S);
  m.pattern = static_cast<int>(place / S);
  m.squared = __uint_as_float(static_cast<unsigned>(least >> 33));
  *result = m;
}
