// Arithmetic rounded down, up or towards zero: by the processor's own mode, which holds for one operation.
#pragma once

extern "C" int fesetround(int) noexcept;

namespace bench_sim {

#if defined(__x86_64__)
enum Rounding { TO_NEAREST = 0, DOWN = 0x400, UP = 0x800, TO_ZERO = 0xc00 };  // fenv.h of the C library
#else
enum Rounding { TO_NEAREST = 0, UP = 0x400000, DOWN = 0x800000, TO_ZERO = 0xc00000 };
#endif

// Keeps the operation between the changes of the mode.
template <class T>
inline T pinned(T x) {
#if defined(__x86_64__)
  asm volatile("" : "+x"(x));
#else
  asm volatile("" : "+w"(x));
#endif
  return x;
}

template <class F, class... T>
inline auto directed(Rounding mode, F f, T... x) {
  fesetround(mode);
  auto y = pinned(f(pinned(x)...));
  fesetround(TO_NEAREST);
  return y;
}

}  // namespace bench_sim

#define BENCH_SIM_DIRECTED(suffix, mode)                                                                                          \
  inline float __fadd_##suffix(float a, float b) { return bench_sim::directed(mode, [](float x, float y) { return x + y; }, a, b); }      \
  inline float __fsub_##suffix(float a, float b) { return bench_sim::directed(mode, [](float x, float y) { return x - y; }, a, b); }      \
  inline float __fmul_##suffix(float a, float b) { return bench_sim::directed(mode, [](float x, float y) { return x * y; }, a, b); }      \
  inline float __fdiv_##suffix(float a, float b) { return bench_sim::directed(mode, [](float x, float y) { return x / y; }, a, b); }      \
  inline float __frcp_##suffix(float a) { return __fdiv_##suffix(1.0f, a); }                                                       \
  inline float __fsqrt_##suffix(float a) { return bench_sim::directed(mode, [](float x) { return __builtin_sqrtf(x); }, a); }        \
  inline float __fmaf_##suffix(float a, float b, float c) { return bench_sim::directed(mode, [](float x, float y, float z) { return fmaf(x, y, z); }, a, b, c); } \
  inline double __dadd_##suffix(double a, double b) { return bench_sim::directed(mode, [](double x, double y) { return x + y; }, a, b); }  \
  inline double __dsub_##suffix(double a, double b) { return bench_sim::directed(mode, [](double x, double y) { return x - y; }, a, b); }  \
  inline double __dmul_##suffix(double a, double b) { return bench_sim::directed(mode, [](double x, double y) { return x * y; }, a, b); }  \
  inline double __ddiv_##suffix(double a, double b) { return bench_sim::directed(mode, [](double x, double y) { return x / y; }, a, b); }  \
  inline double __drcp_##suffix(double a) { return __ddiv_##suffix(1.0, a); }                                                      \
  inline double __dsqrt_##suffix(double a) { return bench_sim::directed(mode, [](double x) { return __builtin_sqrt(x); }, a); }      \
  inline double __fma_##suffix(double a, double b, double c) { return bench_sim::directed(mode, [](double x, double y, double z) { return fma(x, y, z); }, a, b, c); } \
  inline float __double2float_##suffix(double a) { return bench_sim::directed(mode, [](double x) { return static_cast<float>(x); }, a); }
BENCH_SIM_DIRECTED(rd, bench_sim::DOWN)
BENCH_SIM_DIRECTED(ru, bench_sim::UP)
BENCH_SIM_DIRECTED(rz, bench_sim::TO_ZERO)
#undef BENCH_SIM_DIRECTED

namespace bench_sim {

// A whole number by a GPU's conversion: what is beyond the type's range becomes its end, and NaN 0, of 64 bits the
// highest bit alone (PTX ISA, cvt).
template <class To, class From>
inline To whole(From x) {
  constexpr bool is_signed = To(-1) < To(0);
  constexpr int bits = 8 * sizeof(To);
  constexpr To top = static_cast<To>(1ull << (bits - 1)), most = is_signed ? static_cast<To>((1ull << (bits - 1)) - 1) : static_cast<To>(-1);
  if (x != x) return bits == 64 ? top : To(0);
  const From end = static_cast<From>(1ull << (bits - 1)) * (is_signed ? 1 : 2);
  if (x >= end) return most;
  if (is_signed ? x < -end : x < 0) return is_signed ? top : To(0);
  return static_cast<To>(x);
}

template <class T> inline T whole_number(T x, Rounding mode) {
  return mode == TO_NEAREST ? rint(x) : mode == DOWN ? floor(x) : mode == UP ? ceil(x) : trunc(x);
}

}  // namespace bench_sim

#define BENCH_SIM_CONVERT(suffix, mode)                                                                                          \
  BENCH_SIM_TO_WHOLE(int, int, suffix, mode) BENCH_SIM_TO_WHOLE(uint, unsigned, suffix, mode)                                     \
  BENCH_SIM_TO_WHOLE(ll, long long, suffix, mode) BENCH_SIM_TO_WHOLE(ull, unsigned long long, suffix, mode)                       \
  BENCH_SIM_OF_WHOLE(int, int, suffix, mode) BENCH_SIM_OF_WHOLE(uint, unsigned, suffix, mode)                                     \
  BENCH_SIM_OF_WHOLE(ll, long long, suffix, mode) BENCH_SIM_OF_WHOLE(ull, unsigned long long, suffix, mode)
#define BENCH_SIM_TO_WHOLE(word, T, suffix, mode)                                                                                \
  inline T __float2##word##_##suffix(float x) { return bench_sim::whole<T>(bench_sim::whole_number(x, mode)); }                   \
  inline T __double2##word##_##suffix(double x) { return bench_sim::whole<T>(bench_sim::whole_number(x, mode)); }
#define BENCH_SIM_OF_WHOLE(word, T, suffix, mode)                                                                                \
  inline float __##word##2float_##suffix(T x) {                                                                                  \
    fesetround(mode);                                                                                                            \
    asm volatile("" : "+r"(x));                                                                                                  \
    const float y = bench_sim::pinned(static_cast<float>(x));                                                                    \
    fesetround(bench_sim::TO_NEAREST);                                                                                           \
    return y;                                                                                                                    \
  }                                                                                                                              \
  inline double __##word##2double_##suffix(T x) {                                                                                \
    fesetround(mode);                                                                                                            \
    asm volatile("" : "+r"(x));                                                                                                  \
    const double y = bench_sim::pinned(static_cast<double>(x));                                                                  \
    fesetround(bench_sim::TO_NEAREST);                                                                                           \
    return y;                                                                                                                    \
  }
BENCH_SIM_CONVERT(rd, bench_sim::DOWN)
BENCH_SIM_CONVERT(ru, bench_sim::UP)
BENCH_SIM_CONVERT(rz, bench_sim::TO_ZERO)
#undef BENCH_SIM_OF_WHOLE
#define BENCH_SIM_OF_WHOLE(word, T, suffix, mode)                                                                                \
  inline float __##word##2float_##suffix(T x) { return static_cast<float>(x); }                                                  \
  inline double __##word##2double_##suffix(T x) { return static_cast<double>(x); }
BENCH_SIM_CONVERT(rn, bench_sim::TO_NEAREST)
#undef BENCH_SIM_OF_WHOLE
#undef BENCH_SIM_TO_WHOLE
#undef BENCH_SIM_CONVERT
inline float __double2float_rn(double x) { return static_cast<float>(x); }
