#pragma once
#ifndef M_PI
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LN2 0.69314718055994530942
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif
#ifndef INFINITY
#define INFINITY (__int_as_float(0x7f800000))
#endif
#ifndef NAN
#define NAN (__int_as_float(0x7fffffff))
#endif
#ifndef HUGE_VALF
#define HUGE_VALF INFINITY
#endif
// nvcc takes whole numbers, and a float beside a double, for double; NVRTC finds several functions.
namespace bench_math {
template <class T> struct whole {};
template <class T> struct number { static constexpr bool is = false; };
template <> struct number<float> { static constexpr bool is = true; };
template <> struct number<double> { static constexpr bool is = true; };
#define BENCH_MATH(T)                               \
  template <> struct whole<T> { typedef double to; }; \
  template <> struct number<T> { static constexpr bool is = true; };
BENCH_MATH(bool) BENCH_MATH(char) BENCH_MATH(signed char) BENCH_MATH(unsigned char) BENCH_MATH(short) BENCH_MATH(unsigned short)
BENCH_MATH(int) BENCH_MATH(unsigned) BENCH_MATH(long) BENCH_MATH(unsigned long) BENCH_MATH(long long) BENCH_MATH(unsigned long long)
#undef BENCH_MATH
template <bool> struct numbers {};
template <> struct numbers<true> { typedef double to; };
template <class... T> using all = typename numbers<(number<T>::is && ...)>::to;
}
#define BENCH_MATH(f) template <class T> __device__ inline typename bench_math::whole<T>::to f(T x) { return f((double)x); }
BENCH_MATH(acos) BENCH_MATH(acosh) BENCH_MATH(asin) BENCH_MATH(asinh) BENCH_MATH(atan) BENCH_MATH(atanh) BENCH_MATH(cbrt) BENCH_MATH(ceil) BENCH_MATH(cos)
BENCH_MATH(cosh) BENCH_MATH(erf) BENCH_MATH(erfc) BENCH_MATH(exp) BENCH_MATH(exp2) BENCH_MATH(expm1) BENCH_MATH(fabs) BENCH_MATH(floor) BENCH_MATH(lgamma)
BENCH_MATH(log) BENCH_MATH(log10) BENCH_MATH(log1p) BENCH_MATH(log2) BENCH_MATH(rint) BENCH_MATH(round) BENCH_MATH(sin) BENCH_MATH(sinh) BENCH_MATH(sqrt)
BENCH_MATH(tan) BENCH_MATH(tanh) BENCH_MATH(tgamma) BENCH_MATH(trunc)
#undef BENCH_MATH
#define BENCH_MATH(f) template <class A, class B> __device__ inline bench_math::all<A, B> f(A a, B b) { return f((double)a, (double)b); }
BENCH_MATH(atan2) BENCH_MATH(copysign) BENCH_MATH(fdim) BENCH_MATH(fmax) BENCH_MATH(fmin) BENCH_MATH(fmod) BENCH_MATH(hypot) BENCH_MATH(nextafter)
BENCH_MATH(pow) BENCH_MATH(remainder)
#undef BENCH_MATH
template <class A, class B, class C> __device__ inline bench_math::all<A, B, C> fma(A a, B b, C c) { return fma((double)a, (double)b, (double)c); }
