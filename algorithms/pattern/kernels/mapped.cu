// Pattern matching by the literature's mappings of terms to threads, versions
// 1 to 4. Kernel shifts computes the errors at all shifts, kernel gains those
// with all gains at the best shift, and kernel least finds the match.
//
// A block has N·Y·Z threads: x an element, y a pattern, z one of Z shifts
// or gains (4: z is one in kernel shifts, whose threads loop over the
// shifts). Each thread computes one term. The first thread of a shift or gain
// adds up its N terms, from global memory (1), shared memory (2) or, N being 32, by
// shuffles (3, 4); the first of a pattern takes the least of the block's
// sums.
//
// Defines: VERSION, N, S, G, Y patterns and Z shifts or gains per block, THREADS
// of kernel least.
#include "match.cuh"

enum {
  LENGTH = N + S - 1,
  SHIFT_SLABS = (S + Z - 1) / Z,  // blocks for the shifts of one pattern
  GAIN_SLABS = (G + Z - 1) / Z
};

// A sum and its index; as one word a pair orders sums, and equal ones by index.
__device__ __forceinline__ Key pair_of(float sum, int index) {
  return static_cast<Key>(__float_as_uint(sum)) << 32 | static_cast<unsigned>(index);
}

// Sums are not contracted with products, so that operations can be counted.
__device__ __forceinline__ float term_of(float w, float d) { return __fmul_rn(__fmul_rn(w, d), d); }

// The sum over a warp, in lane 0.
__device__ __forceinline__ float warp_sum(float x) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2) x = __fadd_rn(x, __shfl_down_sync(ALL, x, d));
  return x;
}

// The least of a block's sums for one pattern, in its first thread; index is
// of the thread's shift or gain of count. terms and sums are of that pattern,
// in global memory, for version 1.
__device__ __forceinline__ Key least_of_block(float term, bool inside, int index, int count, float* terms, float* sums) {
  const int n = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
#if VERSION == 1
  if (inside) terms[static_cast<long long>(index) * N + n] = term;
  __syncthreads();
  if (n == 0 && inside) {
    const float* mine = terms + static_cast<long long>(index) * N;
    float sum = mine[0];
    for (int i = 1; i < N; i++) sum = __fadd_rn(sum, mine[i]);
    sums[index] = sum;
  }
  __syncthreads();
#else
  __shared__ float block_sums[Y][Z];
#if VERSION == 2
  __shared__ float block_terms[Z][Y][N];
  block_terms[z][y][n] = term;
  __syncthreads();
  if (n == 0 && inside) {
    const float* mine = block_terms[z][y];
    float sum = mine[0];
    for (int i = 1; i < N; i++) sum = __fadd_rn(sum, mine[i]);
    block_sums[y][z] = sum;
  }
#else
  if (inside) {
    const float sum = warp_sum(term);
    if (n == 0) block_sums[y][z] = sum;
  }
#endif
  __syncthreads();
#endif
  Key least = NONE;
  if (n == 0 && z == 0 && inside) {
    for (int i = 0; i < Z && index + i < count; i++) {
#if VERSION == 1
      const Key other = pair_of(sums[index + i], index + i);
#else
      const Key other = pair_of(block_sums[y][i], index + i);
#endif
      if (other < least) least = other;
    }
  }
  return least;
}

#if VERSION < 4
extern "C" __global__ void __launch_bounds__(N* Y* Z)
    shifts(const float* __restrict__ signal, const float* __restrict__ weights, const float* __restrict__ templates,
           float* terms, float* sums, Key* slabs, int patterns) {
  const int n = threadIdx.x, k = blockIdx.x * Y + threadIdx.y, j = blockIdx.y * Z + threadIdx.z;
  const bool inside = k < patterns && j < S;
  float term = 0;
  if (inside) term = term_of(weights[n], __fsub_rn(signal[n], templates[static_cast<long long>(k) * LENGTH + n + j]));
  const long long row = static_cast<long long>(k) * S;
  const Key least = least_of_block(term, inside, j, S, terms + row * N, sums + row);
  if (n == 0 && threadIdx.z == 0 && inside) slabs[static_cast<long long>(k) * SHIFT_SLABS + blockIdx.y] = least;
}
#else
// One warp per pattern: lane i holds elements i and 32 + i of those that are left,
// and gets the one for its term from the lane that has it.
extern "C" __global__ void __launch_bounds__(N* Y)
    shifts(const float* __restrict__ signal, const float* __restrict__ weights, const float* __restrict__ templates,
           float* terms, float* sums, Key* slabs, int patterns) {
  const int lane = threadIdx.x, k = blockIdx.x * Y + threadIdx.y;
  if (k >= patterns) return;
  const float a = signal[lane], w = weights[lane];
  const float* mine = templates + static_cast<long long>(k) * LENGTH;
  float here = mine[lane], next = 32 + lane < LENGTH ? mine[32 + lane] : 0;
  Key least = NONE;
  for (int from = 0; from < S; from += 32) {
    for (int i = 0; i < 32 && from + i < S; i++) {
      const float t = __shfl_sync(ALL, lane < i ? next : here, (lane + i) % 32);
      const float sum = warp_sum(term_of(w, __fsub_rn(a, t)));
      const Key other = pair_of(sum, from + i);
      if (other < least) least = other;
    }
    here = next;
    next = from + 64 + lane < LENGTH ? mine[from + 64 + lane] : 0;
  }
  if (lane == 0) slabs[k] = least;
}
#endif

extern "C" __global__ void __launch_bounds__(N* Y* Z)
    gains(const float* __restrict__ signal, const float* __restrict__ weights, const float* __restrict__ templates,
          const float* __restrict__ values, float* terms, float* sums, const Key* __restrict__ shift_slabs, int* best_shifts,
          Key* slabs, int patterns) {
  __shared__ int best[Y];
  const int n = threadIdx.x, y = threadIdx.y, k = blockIdx.x * Y + y, g = blockIdx.y * Z + threadIdx.z;
  if (n == 0 && threadIdx.z == 0 && k < patterns) {
    const int count = VERSION == 4 ? 1 : SHIFT_SLABS;
    Key least = NONE;
    for (int i = 0; i < count; i++) {
      const Key other = shift_slabs[static_cast<long long>(k) * count + i];
      if (other < least) least = other;
    }
    best[y] = static_cast<int>(least & 0xffffffffu);
    if (blockIdx.y == 0) best_shifts[k] = best[y];
  }
  __syncthreads();
  const bool inside = k < patterns && g < G;
  float term = 0;
  if (inside) {
    const float t = templates[static_cast<long long>(k) * LENGTH + n + best[y]];
    term = term_of(weights[n], __fsub_rn(signal[n], __fmul_rn(t, values[g])));
  }
  const long long row = static_cast<long long>(k) * G;
  const Key least = least_of_block(term, inside, g, G, terms + row * N, sums + row);
  if (n == 0 && threadIdx.z == 0 && inside) slabs[static_cast<long long>(k) * GAIN_SLABS + blockIdx.y] = least;
}

extern "C" __global__ void __launch_bounds__(THREADS)
    least(const Key* __restrict__ gain_slabs, const int* __restrict__ best_shifts, Key* slots, Match* result, int patterns) {
  Key best = NONE;
  for (int k = blockIdx.x * THREADS + threadIdx.x; k < patterns; k += gridDim.x * THREADS) {
    Key of_pattern = NONE;
    for (int i = 0; i < GAIN_SLABS; i++) {
      const Key other = gain_slabs[static_cast<long long>(k) * GAIN_SLABS + i];
      if (other < of_pattern) of_pattern = other;
    }
    const Key other = key_of(__uint_as_float(static_cast<unsigned>(of_pattern >> 32)), k, best_shifts[k],
                             static_cast<int>(of_pattern & 0xffffffffu));
    if (other < best) best = other;
  }
  finish(best, slots, result);
}
