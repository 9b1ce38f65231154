// Mathematical functions of CUDA C++ in float and double, by the C library.
#pragma once

#define BENCH_SIM_F1(name)                          \
  extern "C" double name(double) noexcept;          \
  extern "C" float name##f(float) noexcept;         \
  inline float name(float x) { return name##f(x); }
#define BENCH_SIM_F2(name)                                            \
  extern "C" double name(double, double) noexcept;                    \
  extern "C" float name##f(float, float) noexcept;                    \
  inline float name(float x, float y) { return name##f(x, y); }

BENCH_SIM_F1(sin) BENCH_SIM_F1(cos) BENCH_SIM_F1(tan)
BENCH_SIM_F1(asin) BENCH_SIM_F1(acos) BENCH_SIM_F1(atan)
BENCH_SIM_F1(sinh) BENCH_SIM_F1(cosh) BENCH_SIM_F1(tanh)
BENCH_SIM_F1(asinh) BENCH_SIM_F1(acosh) BENCH_SIM_F1(atanh)
BENCH_SIM_F1(exp) BENCH_SIM_F1(exp2) BENCH_SIM_F1(exp10) BENCH_SIM_F1(expm1)
BENCH_SIM_F1(log) BENCH_SIM_F1(log2) BENCH_SIM_F1(log10) BENCH_SIM_F1(log1p) BENCH_SIM_F1(logb)
BENCH_SIM_F1(sqrt) BENCH_SIM_F1(cbrt) BENCH_SIM_F1(erf) BENCH_SIM_F1(erfc) BENCH_SIM_F1(lgamma) BENCH_SIM_F1(tgamma)
BENCH_SIM_F1(fabs) BENCH_SIM_F1(floor) BENCH_SIM_F1(ceil) BENCH_SIM_F1(trunc) BENCH_SIM_F1(round) BENCH_SIM_F1(rint)
BENCH_SIM_F1(nearbyint)
BENCH_SIM_F2(atan2) BENCH_SIM_F2(pow) BENCH_SIM_F2(fmod) BENCH_SIM_F2(remainder) BENCH_SIM_F2(hypot)
BENCH_SIM_F2(fmin) BENCH_SIM_F2(fmax) BENCH_SIM_F2(fdim) BENCH_SIM_F2(copysign) BENCH_SIM_F2(nextafter)
#undef BENCH_SIM_F1
#undef BENCH_SIM_F2

extern "C" {
double fma(double, double, double) noexcept;
float fmaf(float, float, float) noexcept;
double ldexp(double, int) noexcept;
float ldexpf(float, int) noexcept;
double scalbn(double, int) noexcept;
float scalbnf(float, int) noexcept;
double frexp(double, int*) noexcept;
float frexpf(float, int*) noexcept;
double modf(double, double*) noexcept;
float modff(float, float*) noexcept;
int ilogb(double) noexcept;
int ilogbf(float) noexcept;
long lrint(double) noexcept;
long lrintf(float) noexcept;
long long llrint(double) noexcept;
long long llrintf(float) noexcept;
long lround(double) noexcept;
long lroundf(float) noexcept;
void sincos(double, double*, double*) noexcept;
void sincosf(float, float*, float*) noexcept;
int abs(int) noexcept;
long labs(long) noexcept;
long long llabs(long long) noexcept;
}

inline float fma(float a, float b, float c) { return fmaf(a, b, c); }
inline float ldexp(float x, int e) { return ldexpf(x, e); }
inline float scalbn(float x, int e) { return scalbnf(x, e); }
inline float frexp(float x, int* e) { return frexpf(x, e); }
inline float modf(float x, float* whole) { return modff(x, whole); }
inline int ilogb(float x) { return ilogbf(x); }
inline void sincos(float x, float* s, float* c) { sincosf(x, s, c); }
inline long abs(long x) { return labs(x); }
inline long long abs(long long x) { return llabs(x); }
inline float abs(float x) { return fabsf(x); }
inline double abs(double x) { return fabs(x); }
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline float rcbrtf(float x) { return 1.0f / cbrtf(x); }
inline double rcbrt(double x) { return 1.0 / cbrt(x); }
inline float fdividef(float a, float b) { return a / b; }
inline float saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }
inline bool isnan(float x) { return __builtin_isnan(x); }
inline bool isnan(double x) { return __builtin_isnan(x); }
inline bool isinf(float x) { return __builtin_isinf(x); }
inline bool isinf(double x) { return __builtin_isinf(x); }
inline bool isfinite(float x) { return __builtin_isfinite(x); }
inline bool isfinite(double x) { return __builtin_isfinite(x); }
inline bool signbit(float x) { return __builtin_signbit(x); }
inline bool signbit(double x) { return __builtin_signbit(x); }

namespace bench_sim {
// Sine and cosine of pi x: x is reduced to the eighth of a turn around zero
// exactly, so that multiples of a half give exact results.
inline void sincospi(double x, double* s, double* c) {
  double turn = x - 2.0 * rint(0.5 * x);  // [-1, 1]
  double quarter = rint(2.0 * turn);
  double sine, cosine;
  sincos((turn - 0.5 * quarter) * 3.14159265358979323846, &sine, &cosine);
  switch (static_cast<int>(quarter) & 3) {
    case 0: *s = sine, *c = cosine; break;
    case 1: *s = cosine, *c = -sine; break;
    case 2: *s = -sine, *c = -cosine; break;
    default: *s = -cosine, *c = sine;
  }
}
}  // namespace bench_sim

// Newer C libraries declare functions of these names too; macros keep apart.
namespace bench_sim {
inline void sincospif(float x, float* s, float* c) {
  double ds, dc;
  sincospi(static_cast<double>(x), &ds, &dc);
  *s = static_cast<float>(ds), *c = static_cast<float>(dc);
}
inline void sincospi(float x, float* s, float* c) { sincospif(x, s, c); }
inline double sinpi(double x) { double s, c; sincospi(x, &s, &c); return s; }
inline double cospi(double x) { double s, c; sincospi(x, &s, &c); return c; }
inline float sinpif(float x) { return static_cast<float>(sinpi(static_cast<double>(x))); }
inline float cospif(float x) { return static_cast<float>(cospi(static_cast<double>(x))); }
inline float sinpi(float x) { return sinpif(x); }
inline float cospi(float x) { return cospif(x); }
}  // namespace bench_sim
using bench_sim::sincospi;
using bench_sim::sincospif;
using bench_sim::sinpi;
using bench_sim::sinpif;
using bench_sim::cospi;
using bench_sim::cospif;

#define BENCH_SIM_ORDER(T)                                  \
  inline constexpr T min(T a, T b) { return b < a ? b : a; } \
  inline constexpr T max(T a, T b) { return a < b ? b : a; }
BENCH_SIM_ORDER(int)
BENCH_SIM_ORDER(unsigned)
BENCH_SIM_ORDER(long)
BENCH_SIM_ORDER(unsigned long)
BENCH_SIM_ORDER(long long)
BENCH_SIM_ORDER(unsigned long long)
#undef BENCH_SIM_ORDER
inline constexpr unsigned min(int a, unsigned b) { return min(static_cast<unsigned>(a), b); }
inline constexpr unsigned min(unsigned a, int b) { return min(a, static_cast<unsigned>(b)); }
inline constexpr unsigned max(int a, unsigned b) { return max(static_cast<unsigned>(a), b); }
inline constexpr unsigned max(unsigned a, int b) { return max(a, static_cast<unsigned>(b)); }
inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double max(double a, double b) { return fmax(a, b); }
inline double min(float a, double b) { return fmin(static_cast<double>(a), b); }
inline double min(double a, float b) { return fmin(a, static_cast<double>(b)); }
inline double max(float a, double b) { return fmax(static_cast<double>(a), b); }
inline double max(double a, float b) { return fmax(a, static_cast<double>(b)); }
