// Floating-point numbers of 16 bits, as cuda_fp16.h and cuda_bf16.h have them. Each
// operation is carried out in float, or double where it rounds twice otherwise, and
// its result rounded to the nearest.
#pragma once

namespace bench_sim {

// A format by its bits of precision, the hidden one included, and the exponent of
// its least normal number.
template <int precision, int least>
struct alignas(2) Short {
  unsigned short bits;

  static unsigned short encode(double x) {
    unsigned short sign = static_cast<unsigned short>(__double_as_longlong(x) >> 48 & 0x8000);
    unsigned fraction = (1u << (precision - 1)) - 1, infinite = 0x7fffu & ~fraction;
    if (isnan(x)) return 0x7fff;
    if (x == 0) return sign;
    if (isinf(x)) return static_cast<unsigned short>(sign | infinite);
    int exponent = ilogb(x);
    if (exponent < least) exponent = least;
    if (exponent > 1 - least) return static_cast<unsigned short>(sign | infinite);
    unsigned units = static_cast<unsigned>(rint(ldexp(fabs(x), precision - 1 - exponent)));
    unsigned all = units + (static_cast<unsigned>(exponent - least) << (precision - 1));
    return static_cast<unsigned short>(sign | (all < infinite ? all : infinite));
  }
  static float decode(unsigned short bits) {
    unsigned fraction = bits & ((1u << (precision - 1)) - 1), exponent = (bits & 0x7fffu) >> (precision - 1);
    float x;
    if (exponent == (1u << (16 - precision)) - 1)
      x = fraction ? __int_as_float(0x7fffffff) : __int_as_float(0x7f800000);
    else if (exponent == 0)
      x = ldexpf(static_cast<float>(fraction), least - precision + 1);
    else
      x = ldexpf(static_cast<float>(fraction | 1u << (precision - 1)), least + static_cast<int>(exponent) - precision);
    return bits & 0x8000 ? -x : x;
  }

  Short() = default;
  constexpr Short(const Short&) = default;
  Short& operator=(const Short&) = default;
  Short(float x) : bits(encode(static_cast<double>(x))) {}
  Short(double x) : bits(encode(x)) {}
  Short(int x) : bits(encode(x)) {}
  Short(unsigned x) : bits(encode(x)) {}
  Short(short x) : bits(encode(x)) {}
  Short(unsigned short x) : bits(encode(x)) {}
  Short(long x) : bits(encode(static_cast<double>(x))) {}
  Short(unsigned long x) : bits(encode(static_cast<double>(x))) {}
  Short(long long x) : bits(encode(static_cast<double>(x))) {}
  Short(unsigned long long x) : bits(encode(static_cast<double>(x))) {}
  operator float() const { return decode(bits); }
  Short& operator+=(Short o) { return *this = Short(float(*this) + float(o)); }
  Short& operator-=(Short o) { return *this = Short(float(*this) - float(o)); }
  Short& operator*=(Short o) { return *this = Short(float(*this) * float(o)); }
  Short& operator/=(Short o) { return *this = Short(float(*this) / float(o)); }
};

template <int p, int e>
struct alignas(4) Short2 {
  Short<p, e> x, y;
  Short2() = default;
  constexpr Short2(Short<p, e> low, Short<p, e> high) : x(low), y(high) {}
};

#define BENCH_SIM_SHORT template <int p, int e> inline
#define BENCH_SIM_OPERATOR(op)                                                                                               \
  BENCH_SIM_SHORT Short<p, e> operator op(Short<p, e> a, Short<p, e> b) { return Short<p, e>(float(a) op float(b)); }        \
  BENCH_SIM_SHORT Short2<p, e> operator op(Short2<p, e> a, Short2<p, e> b) { return {a.x op b.x, a.y op b.y}; }
BENCH_SIM_OPERATOR(+) BENCH_SIM_OPERATOR(-) BENCH_SIM_OPERATOR(*) BENCH_SIM_OPERATOR(/)
#undef BENCH_SIM_OPERATOR
BENCH_SIM_SHORT Short<p, e> operator-(Short<p, e> a) { return Short<p, e>(-float(a)); }
BENCH_SIM_SHORT Short2<p, e>& operator+=(Short2<p, e>& a, Short2<p, e> b) { return a = a + b; }
BENCH_SIM_SHORT Short2<p, e>& operator-=(Short2<p, e>& a, Short2<p, e> b) { return a = a - b; }
BENCH_SIM_SHORT Short2<p, e>& operator*=(Short2<p, e>& a, Short2<p, e> b) { return a = a * b; }
#define BENCH_SIM_ORDER(op, name, both)                                                                          \
  BENCH_SIM_SHORT bool operator op(Short<p, e> a, Short<p, e> b) { return float(a) op float(b); }                \
  BENCH_SIM_SHORT bool name(Short<p, e> a, Short<p, e> b) { return float(a) op float(b); }                       \
  BENCH_SIM_SHORT Short2<p, e> name##2(Short2<p, e> a, Short2<p, e> b) {                                         \
    return {Short<p, e>(a.x op b.x ? 1.0f : 0.0f), Short<p, e>(a.y op b.y ? 1.0f : 0.0f)};                       \
  }                                                                                                              \
  BENCH_SIM_SHORT bool both(Short2<p, e> a, Short2<p, e> b) { return a.x op b.x && a.y op b.y; }
BENCH_SIM_ORDER(==, __heq, __hbeq2) BENCH_SIM_ORDER(!=, __hne, __hbne2) BENCH_SIM_ORDER(<, __hlt, __hblt2)
BENCH_SIM_ORDER(<=, __hle, __hble2) BENCH_SIM_ORDER(>, __hgt, __hbgt2) BENCH_SIM_ORDER(>=, __hge, __hbge2)
#undef BENCH_SIM_ORDER

#define BENCH_SIM_BINARY(name, value)                                                                             \
  BENCH_SIM_SHORT Short<p, e> name(Short<p, e> h, Short<p, e> k) {                                                \
    float a = h, b = k;                                                                                           \
    return Short<p, e>(value);                                                                                    \
  }                                                                                                               \
  BENCH_SIM_SHORT Short2<p, e> name##2(Short2<p, e> h, Short2<p, e> k) { return {name(h.x, k.x), name(h.y, k.y)}; }
BENCH_SIM_BINARY(__hadd, a + b) BENCH_SIM_BINARY(__hsub, a - b) BENCH_SIM_BINARY(__hmul, a * b)
BENCH_SIM_BINARY(__hadd_sat, saturatef(a + b)) BENCH_SIM_BINARY(__hmul_sat, saturatef(a * b))
BENCH_SIM_BINARY(__hmax, fmaxf(a, b)) BENCH_SIM_BINARY(__hmin, fminf(a, b))
#undef BENCH_SIM_BINARY
BENCH_SIM_SHORT Short<p, e> __hdiv(Short<p, e> a, Short<p, e> b) { return a / b; }
BENCH_SIM_SHORT Short2<p, e> __h2div(Short2<p, e> a, Short2<p, e> b) { return a / b; }
BENCH_SIM_SHORT Short<p, e> __hfma(Short<p, e> a, Short<p, e> b, Short<p, e> c) {
  return Short<p, e>(static_cast<double>(float(a)) * static_cast<double>(float(b)) + static_cast<double>(float(c)));
}
BENCH_SIM_SHORT Short2<p, e> __hfma2(Short2<p, e> a, Short2<p, e> b, Short2<p, e> c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }

// The product of complex numbers, and a third added.
BENCH_SIM_SHORT Short2<p, e> __hcmadd(Short2<p, e> a, Short2<p, e> b, Short2<p, e> c) {
  const Short<p, e> x = __hfma(a.x, b.x, c.x), y = __hfma(a.x, b.y, c.y);
  return {__hfma(-a.y, b.y, x), __hfma(a.y, b.x, y)};
}

#define BENCH_SIM_UNARY(name, name2, value)                                                  \
  BENCH_SIM_SHORT Short<p, e> name(Short<p, e> h) {                                          \
    float a = h;                                                                             \
    return Short<p, e>(value);                                                               \
  }                                                                                          \
  BENCH_SIM_SHORT Short2<p, e> name2(Short2<p, e> h) { return {name(h.x), name(h.y)}; }
BENCH_SIM_UNARY(__hneg, __hneg2, -a) BENCH_SIM_UNARY(__habs, __habs2, fabsf(a))
BENCH_SIM_UNARY(hsqrt, h2sqrt, sqrtf(a)) BENCH_SIM_UNARY(hrsqrt, h2rsqrt, rsqrtf(a)) BENCH_SIM_UNARY(hrcp, h2rcp, 1.0f / a)
BENCH_SIM_UNARY(hexp, h2exp, expf(a)) BENCH_SIM_UNARY(hexp2, h2exp2, exp2f(a)) BENCH_SIM_UNARY(hexp10, h2exp10, exp10f(a))
BENCH_SIM_UNARY(hlog, h2log, logf(a)) BENCH_SIM_UNARY(hlog2, h2log2, log2f(a)) BENCH_SIM_UNARY(hlog10, h2log10, log10f(a))
BENCH_SIM_UNARY(hsin, h2sin, sinf(a)) BENCH_SIM_UNARY(hcos, h2cos, cosf(a)) BENCH_SIM_UNARY(htanh, h2tanh, tanhf(a))
BENCH_SIM_UNARY(hfloor, h2floor, floorf(a)) BENCH_SIM_UNARY(hceil, h2ceil, ceilf(a))
BENCH_SIM_UNARY(htrunc, h2trunc, truncf(a)) BENCH_SIM_UNARY(hrint, h2rint, rintf(a))
#undef BENCH_SIM_UNARY
BENCH_SIM_SHORT bool __hisnan(Short<p, e> a) { return isnan(float(a)); }
BENCH_SIM_SHORT int __hisinf(Short<p, e> a) { return isinf(float(a)) ? (float(a) < 0 ? -1 : 1) : 0; }

// Addition by the bits of one or two numbers at once.
BENCH_SIM_SHORT Short<p, e> atomicAdd(Short<p, e>* at, Short<p, e> v) {
  return atomic_update(at, [v](Short<p, e> x) { return x + v; });
}
BENCH_SIM_SHORT Short2<p, e> atomicAdd(Short2<p, e>* at, Short2<p, e> v) {
  return atomic_update(at, [v](Short2<p, e> x) { return x + v; });
}

// A number rounded down (direction -1), up (1) or to zero (0).
template <class T, class N>
inline T toward(N x, int direction) {
  T h(x);
  const double exact = static_cast<double>(x), near = static_cast<double>(float(h));
  if (near > exact && (direction < 0 || (direction == 0 && exact > 0)))
    h.bits = static_cast<unsigned short>(near > 0 ? h.bits - 1 : near == 0 ? 0x8001 : h.bits + 1);
  else if (near < exact && (direction > 0 || (direction == 0 && exact < 0)))
    h.bits = static_cast<unsigned short>(near < 0 ? h.bits - 1 : near == 0 ? 1 : h.bits + 1);
  return h;
}

// A whole number: the nearest one in the type's range; of NaN 0, or in 64 bits the highest bit ("CUDA Math API", half2ll and others).
template <class I>
inline I whole(float x) {
  const bool is_signed = I(-1) < I(0);
  const unsigned bits = 8 * sizeof(I) - is_signed;
  const I least = is_signed ? static_cast<I>(1ull << (bits & 63)) : I(0);
  if (isnan(x)) return sizeof(I) == 8 ? static_cast<I>(1ull << 63) : I(0);
  if (x >= ldexpf(1, static_cast<int>(bits))) return static_cast<I>(~least);
  if (x < (is_signed ? -ldexpf(1, static_cast<int>(bits)) : 0)) return least;
  return static_cast<I>(x);
}

}  // namespace bench_sim

// Conversions, which have the name of the type in theirs.
#define BENCH_SIM_SHORT_WHOLE(T, word, name, type)                                                          \
  inline T __##name##2##word##_rn(type x) { return T(x); }                                                  \
  inline T __##name##2##word##_rz(type x) { return bench_sim::toward<T>(x, 0); }                            \
  inline T __##name##2##word##_rd(type x) { return bench_sim::toward<T>(x, -1); }                           \
  inline T __##name##2##word##_ru(type x) { return bench_sim::toward<T>(x, 1); }                            \
  inline type __##word##2##name##_rn(T x) { return bench_sim::whole<type>(rintf(x)); }                      \
  inline type __##word##2##name##_rz(T x) { return bench_sim::whole<type>(truncf(x)); }                     \
  inline type __##word##2##name##_rd(T x) { return bench_sim::whole<type>(floorf(x)); }                     \
  inline type __##word##2##name##_ru(T x) { return bench_sim::whole<type>(ceilf(x)); }
#define BENCH_SIM_SHORT_NAMES(T, word, from)                                                                \
  inline T __float2##word(float x) { return T(x); }                                                         \
  inline T __float2##word##_rn(float x) { return T(x); }                                                    \
  inline T __double2##word(double x) { return T(x); }                                                       \
  inline float __##word##2float(T x) { return x; }                                                          \
  BENCH_SIM_SHORT_WHOLE(T, word, int, int) BENCH_SIM_SHORT_WHOLE(T, word, uint, unsigned)                   \
  BENCH_SIM_SHORT_WHOLE(T, word, short, short) BENCH_SIM_SHORT_WHOLE(T, word, ushort, unsigned short)       \
  BENCH_SIM_SHORT_WHOLE(T, word, ll, long long) BENCH_SIM_SHORT_WHOLE(T, word, ull, unsigned long long)     \
  inline T __float2##word##_rz(float x) { return bench_sim::toward<T>(x, 0); }                              \
  inline T __float2##word##_rd(float x) { return bench_sim::toward<T>(x, -1); }                             \
  inline T __float2##word##_ru(float x) { return bench_sim::toward<T>(x, 1); }                              \
  inline unsigned short __##word##_as_ushort(T x) { return x.bits; }                                        \
  inline short __##word##_as_short(T x) { return static_cast<short>(x.bits); }                              \
  inline T __ushort_as_##word(unsigned short x) { T h; h.bits = x; return h; }                              \
  inline T __short_as_##word(short x) { return __ushort_as_##word(static_cast<unsigned short>(x)); }        \
  inline T##2 __float2##word##2_rn(float x) { return {T(x), T(x)}; }                                        \
  inline T##2 __floats2##word##2_rn(float x, float y) { return {T(x), T(y)}; }                              \
  inline T##2 __float22##word##2_rn(float2 x) { return {T(x.x), T(x.y)}; }                                  \
  inline float2 __##word##22float2(T##2 x) { return {x.x, x.y}; }                                           \
  inline T##2 __##word##2##word##2(T x) { return {x, x}; }                                                  \
  inline T##2 __##from##2##word##2(T x, T y) { return {x, y}; }                                             \
  inline T __low2##word(T##2 x) { return x.x; }                                                             \
  inline T __high2##word(T##2 x) { return x.y; }                                                            \
  inline T##2 __lows2##word##2(T##2 a, T##2 b) { return {a.x, b.x}; }                                       \
  inline T##2 __highs2##word##2(T##2 a, T##2 b) { return {a.y, b.y}; }                                      \
  inline T##2 __lowhigh2highlow(T##2 a) { return {a.y, a.x}; }                                              \
  inline float __low2float(T##2 x) { return x.x; }                                                          \
  inline float __high2float(T##2 x) { return x.y; }
