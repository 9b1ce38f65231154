// What the scan kernels share: elements, vectors of them, and the scan of a
// warp's rows.
//
// Defines: TYPE (32 float, 64 double, 1 int), VECTOR elements per vector, P elements
// per thread, L threads per block, PATTERN (0 Ladner-Fischer, 1 Kogge-Stone),
// EXCLUSIVE, STREAM (1: loads say that nothing is
// used again, 2: stores do, 3: both).
//
// A warp holds 32·P consecutive elements as P/VECTOR rows of 32·VECTOR; a thread holds
// VECTOR neighbours of each row, so that a row is loaded and stored by whole lines.
#pragma once

#if TYPE == 32
typedef float T;
#elif TYPE == 64
typedef double T;
#else
typedef unsigned T;  // sums of int32 wrap around, as those of unsigned do
#endif

enum { ROWS = P / VECTOR, ROW = 32 * VECTOR, WARP = 32 * P, WARPS = L / 32 };

#define ALL 0xffffffffu

// A store of what is not used again. By PTX, because CUDA has a function for it from
// 11.0 on ("CUDA C++ Programming Guide"), and the oldest boards end at 10.2.
#ifdef BENCH_SIM
template <class V> __device__ __forceinline__ void store_once(V* at, V v) { *at = v; }
#else
__device__ __forceinline__ void store_once(unsigned* at, unsigned v) { asm volatile("st.global.cs.u32 [%0], %1;" ::"l"(at), "r"(v) : "memory"); }
__device__ __forceinline__ void store_once(uint2* at, uint2 v) {
  asm volatile("st.global.cs.v2.u32 [%0], {%1, %2};" ::"l"(at), "r"(v.x), "r"(v.y) : "memory");
}
__device__ __forceinline__ void store_once(uint4* at, uint4 v) {
  asm volatile("st.global.cs.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(at), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
}
#endif

template <int bytes> struct Word;
template <> struct Word<4> { typedef unsigned type; };
template <> struct Word<8> { typedef uint2 type; };
template <> struct Word<16> { typedef uint4 type; };

union Vector {
  Word<VECTOR * sizeof(T)>::type word;
  T x[VECTOR];
};

__device__ __forceinline__ Vector load(const T* at) {
  Vector v;
  const Word<VECTOR * sizeof(T)>::type* p = reinterpret_cast<const Word<VECTOR * sizeof(T)>::type*>(at);
#if STREAM & 1
  v.word = __ldcs(p);
#else
  v.word = *p;
#endif
  return v;
}

__device__ __forceinline__ void store(T* at, const Vector& v) {
  Word<VECTOR * sizeof(T)>::type* p = reinterpret_cast<Word<VECTOR * sizeof(T)>::type*>(at);
#if STREAM & 2
  store_once(p, v.word);
#else
  *p = v.word;
#endif
}

// Inclusive scan over each WIDTH consecutive lanes, in log2 WIDTH steps.
template <int WIDTH>
__device__ __forceinline__ T scan_lanes(T x, unsigned lane) {
#pragma unroll
  for (int d = 1; d < WIDTH; d *= 2) {
#if PATTERN
    // Kogge-Stone: every lane adds what lies d before it.
    T y = __shfl_up_sync(ALL, x, d, WIDTH);
    if ((lane & (WIDTH - 1)) >= d) x += y;
#else
    // Ladner-Fischer: the upper half of each 2d lanes adds the last of the lower.
    T y = __shfl_sync(ALL, x, (lane & ~(2 * d - 1)) | (d - 1));
    if (lane & d) x += y;
#endif
  }
  return x;
}

// Scans each thread's vectors in place and gives, for every row, what lies
// before the thread's vector in its segment of WIDTH lanes; total, if asked
// for, is each row's sum.
template <int WIDTH, bool TOTALS>
__device__ __forceinline__ void scan_rows(Vector (&v)[ROWS], T (&before)[ROWS], T (&total)[ROWS], unsigned lane) {
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
#pragma unroll
    for (int i = 1; i < VECTOR; i++) v[r].x[i] += v[r].x[i - 1];
    T sum = scan_lanes<WIDTH>(v[r].x[VECTOR - 1], lane);
    before[r] = __shfl_up_sync(ALL, sum, 1, WIDTH);
    if ((lane & (WIDTH - 1)) == 0) before[r] = 0;
    if (TOTALS) total[r] = __shfl_sync(ALL, sum, 31);
  }
}

// The sums of a thread's vector from those within it and what lies before it.
__device__ __forceinline__ Vector sums(const Vector& v, T before) {
  Vector y;
#pragma unroll
  for (int i = 0; i < VECTOR; i++) {
#if EXCLUSIVE
    y.x[i] = i == 0 ? before : before + v.x[i > 0 ? i - 1 : 0];
#else
    y.x[i] = before + v.x[i];
#endif
  }
  return y;
}
