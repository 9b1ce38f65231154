// mapped.cl: versions 1 and 2 of mapped.cu in OpenCL C: the same threads, terms and traffic, but that work-groups do
// not wait for each other: kernel choose takes the least of what those of kernel least leave in slots.
//
// Defines: VERSION, N, S, G, Y, Z, THREADS of kernels least and choose, a power of two.
#pragma OPENCL FP_CONTRACT OFF

enum {
  LENGTH = N + S - 1,
  SHIFT_SLABS = (S + Z - 1) / Z,
  GAIN_SLABS = (G + Z - 1) / Z
};

// A key orders matches, as in match.cuh.
typedef ulong Key;

#define NONE 0xfffffffffffffffeul

typedef struct {
  int pattern, shift, gain;
  float squared;
} Match;

Key pair_of(float sum, int index) { return (Key)as_uint(sum) << 32 | (uint)index; }

float term_of(float w, float d) { return w * d * d; }

// The least of a work-group's keys, for all its work-items.
Key group_least(Key least, __local Key *keys) {
  const int t = get_local_id(0);
  keys[t] = least;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = THREADS / 2; step > 0; step /= 2) {
    if (t < step) keys[t] = min(keys[t], keys[t + step]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  return keys[0];
}

#if VERSION == 1
#define BOARDS
#define BOARDS_OF
#define BOARDS_TO
#else
#define BOARDS __local float block_terms[Z * Y * N], block_sums[Y * Z];
#define BOARDS_OF , __local float *block_terms, __local float *block_sums
#define BOARDS_TO , block_terms, block_sums
#endif

// The least of a work-group's sums for one pattern, in its first work-item, as in mapped.cu.
Key least_of_block(float term, bool inside, int index, int count, __global float *terms, __global float *sums BOARDS_OF) {
  const int n = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
#if VERSION == 1
  if (inside) terms[(long)index * N + n] = term;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (n == 0 && inside) {
    __global const float *mine = terms + (long)index * N;
#else
  block_terms[(z * Y + y) * N + n] = term;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (n == 0 && inside) {
    __local const float *mine = block_terms + (z * Y + y) * N;
#endif
    float sum = mine[0];
    for (int i = 1; i < N; i++) sum += mine[i];
#if VERSION == 1
    sums[index] = sum;
#else
    block_sums[y * Z + z] = sum;
#endif
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  Key least = NONE;
  if (n == 0 && z == 0 && inside) {
    for (int i = 0; i < Z && index + i < count; i++) {
#if VERSION == 1
      least = min(least, pair_of(sums[index + i], index + i));
#else
      least = min(least, pair_of(block_sums[y * Z + i], index + i));
#endif
    }
  }
  return least;
}

__kernel __attribute__((reqd_work_group_size(N, Y, Z))) void
shifts(__global const float *restrict signal, __global const float *restrict weights, __global const float *restrict templates,
       __global float *terms, __global float *sums, __global Key *slabs, int patterns) {
  BOARDS
  const int n = get_local_id(0), k = get_group_id(0) * Y + get_local_id(1), j = get_group_id(1) * Z + get_local_id(2);
  const bool inside = k < patterns && j < S;
  float term = 0;
  if (inside) term = term_of(weights[n], signal[n] - templates[(long)k * LENGTH + n + j]);
  const long row = (long)k * S;
  const Key least = least_of_block(term, inside, j, S, terms + row * N, sums + row BOARDS_TO);
  if (n == 0 && get_local_id(2) == 0 && inside) slabs[(long)k * SHIFT_SLABS + get_group_id(1)] = least;
}

__kernel __attribute__((reqd_work_group_size(N, Y, Z))) void
gains(__global const float *restrict signal, __global const float *restrict weights, __global const float *restrict templates,
      __global const float *restrict values, __global float *terms, __global float *sums, __global const Key *restrict shift_slabs,
      __global int *best_shifts, __global Key *slabs, int patterns) {
  BOARDS
  __local int best[Y];
  const int n = get_local_id(0), y = get_local_id(1), k = get_group_id(0) * Y + y, g = get_group_id(1) * Z + get_local_id(2);
  if (n == 0 && get_local_id(2) == 0 && k < patterns) {
    Key least = NONE;
    for (int i = 0; i < SHIFT_SLABS; i++) least = min(least, shift_slabs[(long)k * SHIFT_SLABS + i]);
    best[y] = (int)(least & 0xfffffffful);
    if (get_group_id(1) == 0) best_shifts[k] = best[y];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const bool inside = k < patterns && g < G;
  float term = 0;
  if (inside) term = term_of(weights[n], signal[n] - templates[(long)k * LENGTH + n + best[y]] * values[g]);
  const long row = (long)k * G;
  const Key least = least_of_block(term, inside, g, G, terms + row * N, sums + row BOARDS_TO);
  if (n == 0 && get_local_id(2) == 0 && inside) slabs[(long)k * GAIN_SLABS + get_group_id(1)] = least;
}

__kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void
least(__global const Key *restrict gain_slabs, __global const int *restrict best_shifts, __global Key *slots, int patterns) {
  __local Key keys[THREADS];
  Key best = NONE;
  for (int k = get_global_id(0); k < patterns; k += get_global_size(0)) {
    Key of_pattern = NONE;
    for (int i = 0; i < GAIN_SLABS; i++) of_pattern = min(of_pattern, gain_slabs[(long)k * GAIN_SLABS + i]);
    best = min(best, (of_pattern >> 32) << 33 | (((Key)k * S + (uint)best_shifts[k]) * G + (of_pattern & 0xfffffffful)));
  }
  best = group_least(best, keys);
  if (get_local_id(0) == 0) slots[get_group_id(0)] = best;
}

__kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void
choose(__global const Key *restrict slots, __global Match *result, int count) {
  __local Key keys[THREADS];
  Key best = NONE;
  for (int i = get_local_id(0); i < count; i += THREADS) best = min(best, slots[i]);
  best = group_least(best, keys);
  if (get_local_id(0) > 0) return;
  Key place = best & ((1ul << 33) - 1);
  Match m;
  m.gain = (int)(place % G);
  place /= G;
  m.shift = (int)(place % S);
  m.pattern = (int)(place / S);
  m.squared = as_float((uint)(best >> 33));
  *result = m;
}
