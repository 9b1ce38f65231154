// Products of matrices by a warp: mma.sync and ldmatrix (PTX ISA, "Matrix Fragments for mma"), and what mma.h builds on.
// Sums are rounded once; a tensor core rounds in between too.
#pragma once
#include "half.h"

namespace bench_sim {

// Types of elements: how many a register holds, and their values.
struct F16 { typedef unsigned Register; enum { EACH = 2 }; static double value(unsigned r, int e) { return static_cast<double>(Short<11, -14>::decode(static_cast<unsigned short>(r >> 16 * e))); } };
struct BF16 { typedef unsigned Register; enum { EACH = 2 }; static double value(unsigned r, int e) { return static_cast<double>(Short<8, -126>::decode(static_cast<unsigned short>(r >> 16 * e))); } };
struct TF32 { typedef unsigned Register; enum { EACH = 1 }; static double value(unsigned r, int) { return static_cast<double>(__uint_as_float(r & ~0x1fffu)); } };
struct S8 { typedef unsigned Register; enum { EACH = 4 }; static double value(unsigned r, int e) { return static_cast<signed char>(r >> 8 * e); } };
struct U8 { typedef unsigned Register; enum { EACH = 4 }; static double value(unsigned r, int e) { return static_cast<unsigned char>(r >> 8 * e); } };
struct F64 {
  typedef double Register;
  enum { EACH = 1 };
  static double value(double r, int) { return r; }
  static double rounded(double x) { return x; }
};
struct F32 {
  typedef float Register;
  enum { EACH = 1 };
  static double value(float r, int) { return static_cast<double>(r); }
  static float rounded(double x) { return static_cast<float>(x); }
};
struct S32 {
  typedef int Register;
  enum { EACH = 1 };
  static double value(int r, int) { return r; }
  static int rounded(double x) { return static_cast<int>(static_cast<unsigned>(static_cast<long long>(x))); }
};

// Calls f with the addresses of what each lane of a warp passes.
template <class F>
inline void together(const void* mine, F f, Place at) {
  const void* room[32];
  const void** all = reinterpret_cast<const void**>(shuffle(~0u, reinterpret_cast<Word>(room), 0, at));
  all[quiet(bench_sim_current->lane)] = mine;
  __syncwarp(~0u, at);
  f(all);
  __syncwarp(~0u, at);
}

template <int M, int N, int K, class A, class B, class C>
struct Product {
  typename A::Register a[M * K / 32 / A::EACH];
  typename B::Register b[N * K / 32 / B::EACH];
};

// Element (row, k) of A lies in a lane by row and k, that of B by column and k.
template <class T, int rows>
inline double element(const typename T::Register* from, int row, int k) {
  const int block = k / (4 * T::EACH);
  return T::value(from[rows == 16 ? block * 2 + row / 8 : block], k % T::EACH);
}
template <class T> inline int lane_of(int row, int k) { return row % 8 * 4 + k / T::EACH % 4; }

template <int M, int N, int K, class A, class B, class C>
BENCH_SIM_QUIET inline double cell(const void** all, int row, int column) {
  typedef Product<M, N, K, A, B, C> P;
  double sum = 0;
  for (int k = 0; k < K; k++)
    sum += element<A, M>(static_cast<const P*>(all[lane_of<A>(row, k)])->a, row, k) * element<B, 8>(static_cast<const P*>(all[lane_of<B>(column, k)])->b, column, k);
  return sum;
}

template <int M, int N, int K, class A, class B, class C, class D, unsigned long da, unsigned long db, unsigned long dc>
BENCH_SIM_QUIET void multiply_matrices(D (&d)[dc], const typename A::Register (&a)[da], const typename B::Register (&b)[db], const D (&c)[dc], Place at = here()) {
  static_assert(N == 8 && (M == 16 || M == 8) && da == M * K / 32 / A::EACH && db == N * K / 32 / B::EACH, "a product of matrices with other fragments");
  Product<M, N, K, A, B, C> mine;
  for (unsigned long i = 0; i < da; i++) mine.a[i] = a[i];
  for (unsigned long i = 0; i < db; i++) mine.b[i] = b[i];
  const int lane = static_cast<int>(quiet(bench_sim_current->lane));
  double sums[M * N / 32];
  together(&mine, [&](const void** all) {
    for (int i = 0; i < M * N / 32; i++) sums[i] = cell<M, N, K, A, B, C>(all, lane / 4 + 8 * (i / 2), lane % 4 * 2 + i % 2);
  }, at);
  if constexpr (C::EACH == 2) {  // halves, two in a register
    for (unsigned long i = 0; i < dc; i++) {
      const Short<11, -14> low(sums[2 * i] + C::value(c[i], 0)), high(sums[2 * i + 1] + C::value(c[i], 1));
      d[i] = low.bits | static_cast<unsigned>(high.bits) << 16;
    }
  } else {
    for (unsigned long i = 0; i < dc; i++) d[i] = C::rounded(sums[i] + C::value(c[i], 0));
  }
}

// ldmatrix: rows of 16 bytes at the addresses of lanes 0 to 7, 8 to 15 and so on.
template <int number, bool transposed>
inline void load_matrices(unsigned* r, const void* row, Place at = here()) {
  const unsigned lane = quiet(bench_sim_current->lane);
  uint4 words = {};
  if (lane < 8 * number) words = *static_cast<const uint4*>(row);
  together(&words, [&](const void** all) {
    for (unsigned i = 0; i < number; i++) {
      if (transposed) {
        unsigned halves[2];
        for (unsigned e = 0; e < 2; e++) {
          const unsigned* from = static_cast<const unsigned*>(all[8 * i + lane % 4 * 2 + e]);
          halves[e] = from[lane / 8] >> (lane / 4 % 2 * 16) & 0xffff;
        }
        r[i] = halves[0] | halves[1] << 16;
      } else {
        r[i] = static_cast<const unsigned*>(all[8 * i + lane / 4])[lane % 4];
      }
    }
  }, at);
}

}  // namespace bench_sim
