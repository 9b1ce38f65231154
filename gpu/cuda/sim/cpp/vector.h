// Vector types with CUDA's alignments (CUDA C++ Programming Guide, table of
// built-in vector types).
#pragma once

#define BENCH_SIM_VECTOR(T, name, align2, align4)                                                  \
  struct name##1 { T x; };                                                                         \
  struct __attribute__((aligned(align2))) name##2 { T x, y; };                                     \
  struct name##3 { T x, y, z; };                                                                   \
  struct __attribute__((aligned(align4))) name##4 { T x, y, z, w; };                               \
  inline constexpr name##1 make_##name##1(T x) { return name##1{x}; }                              \
  inline constexpr name##2 make_##name##2(T x, T y) { return name##2{x, y}; }                      \
  inline constexpr name##3 make_##name##3(T x, T y, T z) { return name##3{x, y, z}; }              \
  inline constexpr name##4 make_##name##4(T x, T y, T z, T w) { return name##4{x, y, z, w}; }

BENCH_SIM_VECTOR(signed char, char, 2, 4)
BENCH_SIM_VECTOR(unsigned char, uchar, 2, 4)
BENCH_SIM_VECTOR(short, short, 4, 8)
BENCH_SIM_VECTOR(unsigned short, ushort, 4, 8)
BENCH_SIM_VECTOR(int, int, 8, 16)
BENCH_SIM_VECTOR(long, long, 16, 16)
BENCH_SIM_VECTOR(unsigned long, ulong, 16, 16)
BENCH_SIM_VECTOR(long long, longlong, 16, 16)
BENCH_SIM_VECTOR(unsigned long long, ulonglong, 16, 16)
BENCH_SIM_VECTOR(float, float, 8, 16)
BENCH_SIM_VECTOR(double, double, 16, 16)
#undef BENCH_SIM_VECTOR

struct uint1 { unsigned x; };
struct __attribute__((aligned(8))) uint2 { unsigned x, y; };
struct __attribute__((aligned(16))) uint4 { unsigned x, y, z, w; };
inline constexpr uint1 make_uint1(unsigned x) { return uint1{x}; }
inline constexpr uint2 make_uint2(unsigned x, unsigned y) { return uint2{x, y}; }
inline constexpr uint3 make_uint3(unsigned x, unsigned y, unsigned z) { return uint3{x, y, z}; }
inline constexpr uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return uint4{x, y, z, w}; }
