// Pattern matching in one launch, version 5. Each warp takes 32/LANES
// patterns at a time, from global to shared memory once; LANES threads share
// a pattern, R neighbouring shifts each in registers, so that one element of
// the template, loaded once, serves R shifts.
//
// The error at a shift, less Σ w·a², is Σ w·t² - 2·w·a·t: two multiply-adds
// per element. The form (w·t - 2·w·a)·t, which needs no squares, gains with
// LANES = 4 and loses with 8 (algorithms/pattern/README.md). With d = a - t at the best shift, the error with gain v is
// E - 2·(v-1)·B + (v-1)²·C, where E = Σ w·d², B = Σ w·d·t, C = Σ w·t². The error
// of the chosen gain is then computed directly, and orders the patterns.
//
// Defines: N, S, G, LANES, R, ROLLED (1: a loop takes R elements of the signal
// at a time; 0: all are unrolled), THREADS, BLOCKS per multiprocessor, AHEAD (1:
// the next patterns are loaded meanwhile), VECTOR elements per access, STRIDE
// elements from a pattern to the next and REGION of a warp in shared memory.
#include "match.cuh"

enum {
  LENGTH = N + S - 1,
  TEAMS = 32 / LANES,
  ROUNDS = (S + LANES * R - 1) / (LANES * R),
  STEP = ROLLED && R < N ? R : N,
  LOADS = (TEAMS * LENGTH + 32 * VECTOR - 1) / (32 * VECTOR)  // accesses of a thread
};

#if VECTOR == 4
typedef float4 Vector;
#elif VECTOR == 2
typedef float2 Vector;
#else
typedef float Vector;
#endif

// The lower index of equal values, in all threads of a team.
__device__ __forceinline__ void team_least(float& value, int& index) {
#pragma unroll
  for (int d = LANES / 2; d > 0; d /= 2) {
    const float v = __shfl_xor_sync(ALL, value, d);
    const int i = __shfl_xor_sync(ALL, index, d);
    if (v < value || (v == value && i < index)) value = v, index = i;
  }
}

__device__ __forceinline__ float team_sum(float x) {
#pragma unroll
  for (int d = LANES / 2; d > 0; d /= 2) x = __fadd_rn(x, __shfl_xor_sync(ALL, x, d));
  return x;
}

// Vector i of a thread of those that hold a warp's patterns from first on.
__device__ __forceinline__ bool holds(int i, int lane, int present) {
  return (i * 32 + lane) * VECTOR < present * LENGTH;
}

__device__ __forceinline__ Vector fetch(const float* at, int i, int lane) {
  return __ldcs(reinterpret_cast<const Vector*>(at) + i * 32 + lane);
}

__device__ __forceinline__ void keep(float* rows, Vector v, int i, int lane) {
  const int element = (i * 32 + lane) * VECTOR;
  *reinterpret_cast<Vector*>(rows + (STRIDE == LENGTH ? element : element / LENGTH * STRIDE + element % LENGTH)) = v;
}

// What COUNT elements of the signal add to the sums at R shifts. t and squares
// hold R-1 elements of the template before those at next, the first in place
// 0; each new one takes the place of the oldest, so that after R elements the
// places are as before.
template <int COUNT>
__device__ __forceinline__ void add(const float* next, const float2* coefficients, float (&t)[R], float (&squares)[R], float (&sum)[R]) {
#pragma unroll
  for (int i = 0; i < COUNT; i++) {
    const int newest = (i + R - 1) % R;
    t[newest] = next[i];
    squares[newest] = __fmul_rn(t[newest], t[newest]);
    const float2 c = coefficients[i];
#pragma unroll
    for (int r = 0; r < R; r++) sum[r] = __fmaf_rn(t[(i + r) % R], c.y, sum[r]);
#pragma unroll
    for (int r = 0; r < R; r++) sum[r] = __fmaf_rn(squares[(i + r) % R], c.x, sum[r]);
  }
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)
    match(const float* __restrict__ signal, const float* __restrict__ weights, const float* __restrict__ values,
          const float* __restrict__ templates, Key* slots, Match* result, int patterns) {
  extern __shared__ float4 board[];
  float2* coefficients = reinterpret_cast<float2*>(board);  // w and -2·w·a
  float* a = reinterpret_cast<float*>(coefficients + N);
  float* w = a + N;
  float* v = w + N;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int team = lane / LANES, place = lane % LANES;
  float* rows = reinterpret_cast<float*>(board) + (4 * N + G + 3) / 4 * 4 + warp * REGION;

  int first = (blockIdx.x * (THREADS / 32) + warp) * TEAMS;
  const int step = gridDim.x * (THREADS / 32) * TEAMS;
#if AHEAD
  Vector ahead[LOADS];
#pragma unroll
  for (int i = 0; i < LOADS; i++) {
    if (holds(i, lane, min(TEAMS, patterns - first))) ahead[i] = fetch(templates + static_cast<long long>(first) * LENGTH, i, lane);
  }
#endif
  for (int n = threadIdx.x; n < N; n += THREADS) {
    a[n] = signal[n];
    w[n] = weights[n];
    coefficients[n] = make_float2(w[n], -2.0f * __fmul_rn(w[n], a[n]));
  }
  for (int g = threadIdx.x; g < G; g += THREADS) v[g] = values[g];
#ifdef BENCH_SIM
  // Lanes without a shift, and rows without a pattern, read what was never written,
  // and nothing uses what they make of it.
  for (int i = lane; i < REGION; i += 32) rows[i] = __int_as_float(-1);
#endif
  __syncthreads();

  float best = INFINITE;
  int best_pattern = -1, best_shift = 0, best_gain = 0;
  for (; first < patterns; first += step) {
#if AHEAD
#pragma unroll
    for (int i = 0; i < LOADS; i++) {
      if (holds(i, lane, min(TEAMS, patterns - first))) keep(rows, ahead[i], i, lane);
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < LOADS; i++) {
      if (holds(i, lane, min(TEAMS, patterns - first - step))) {
        ahead[i] = fetch(templates + static_cast<long long>(first + step) * LENGTH, i, lane);
      }
    }
#else
#pragma unroll 8
    for (int i = 0; i < LOADS; i++) {
      if (holds(i, lane, min(TEAMS, patterns - first))) {
        keep(rows, fetch(templates + static_cast<long long>(first) * LENGTH, i, lane), i, lane);
      }
    }
    __syncwarp();
#endif
    const float* mine = rows + team * STRIDE;

    float least = INFINITE;
    int shift = 0;
#pragma unroll 1
    for (int round = 0; round < ROUNDS; round++) {
      const int from = (round * LANES + place) * R;
      float t[R], squares[R], sum[R];
#pragma unroll
      for (int r = 0; r < R; r++) {
        sum[r] = 0;
        if (r < R - 1) {
          t[r] = mine[from + r];
          squares[r] = __fmul_rn(t[r], t[r]);
        }
      }
      const float* next = mine + from + R - 1;
#pragma unroll 1
      for (int n = 0; n + STEP <= N; n += STEP) add<STEP>(next + n, coefficients + n, t, squares, sum);
      if (N % STEP > 0) add<N % STEP>(next + N / STEP * STEP, coefficients + N / STEP * STEP, t, squares, sum);
#pragma unroll
      for (int r = 0; r < R; r++) {
        if (from + r < S && sum[r] < least) least = sum[r], shift = from + r;
      }
    }
    team_least(least, shift);

    const float* shifted = mine + shift;
    float e = 0, b = 0, c = 0;
#pragma unroll 2
    for (int n = place; n < N; n += LANES) {
      const float t = shifted[n], d = __fsub_rn(a[n], t), wd = __fmul_rn(w[n], d);
      e = __fmaf_rn(wd, d, e);
      b = __fmaf_rn(wd, t, b);
      c = __fmaf_rn(__fmul_rn(w[n], t), t, c);
    }
    e = team_sum(e), b = -2.0f * team_sum(b), c = team_sum(c);
    least = INFINITE;
    int gain = 0;
#pragma unroll 2
    for (int g = place; g < G; g += LANES) {
      const float u = __fsub_rn(v[g], 1.0f), x = __fmaf_rn(u, __fmaf_rn(u, c, b), e);
      if (x < least) least = x, gain = g;
    }
    team_least(least, gain);
    const float chosen = v[gain];
    float squared = 0;
#pragma unroll 2
    for (int n = place; n < N; n += LANES) {
      const float d = __fsub_rn(a[n], __fmul_rn(shifted[n], chosen));
      squared = __fmaf_rn(__fmul_rn(w[n], d), d, squared);
    }
    squared = team_sum(squared);
    if (first + team < patterns && squared < best) {
      best = squared, best_pattern = first + team, best_shift = shift, best_gain = gain;
    }
    __syncwarp();
  }
  finish(best_pattern < 0 ? NONE : key_of(best, best_pattern, best_shift, best_gain), slots, result);
}
