// What inline PTX becomes: a function for each instruction that package sim translates.
#pragma once
#include "half.h"
#include "matrix.h"

namespace bench_sim {
namespace ptx {

typedef Short<11, -14> Half;
typedef Short2<11, -14> Half2;
typedef Short<8, -126> BFloat;
typedef Short2<8, -126> BFloat2;

template <class T> struct Integer { static constexpr bool is = __is_enum(T); };
#define BENCH_SIM_INTEGER(T, S, U, W) \
  template <> struct Integer<T> { static constexpr bool is = true; typedef S of_sign; typedef U without; typedef W wide; };
BENCH_SIM_INTEGER(bool, bool, bool, bool) BENCH_SIM_INTEGER(char, signed char, unsigned char, short) BENCH_SIM_INTEGER(signed char, signed char, unsigned char, short)
BENCH_SIM_INTEGER(unsigned char, signed char, unsigned char, unsigned short) BENCH_SIM_INTEGER(short, short, unsigned short, int)
BENCH_SIM_INTEGER(unsigned short, short, unsigned short, unsigned) BENCH_SIM_INTEGER(int, int, unsigned, long long) BENCH_SIM_INTEGER(unsigned, int, unsigned, unsigned long long)
BENCH_SIM_INTEGER(long, long long, unsigned long long, __int128) BENCH_SIM_INTEGER(unsigned long, long long, unsigned long long, unsigned __int128)
BENCH_SIM_INTEGER(long long, long long, unsigned long long, __int128) BENCH_SIM_INTEGER(unsigned long long, long long, unsigned long long, unsigned __int128)
#undef BENCH_SIM_INTEGER

// The bits of a register as a value of a type; whole numbers of another size are converted.
template <class T, class U>
inline T as(const U& v) {
  if constexpr (sizeof(T) == sizeof(U) && !(Integer<T>::is && Integer<U>::is)) {
    T to;
    __builtin_memcpy(&to, &v, sizeof to);
    return to;
  } else if constexpr (sizeof(T) > sizeof(U) && !Integer<U>::is) {
    T to{};
    __builtin_memcpy(&to, &v, sizeof v);
    return to;
  } else if constexpr (sizeof(T) < sizeof(U) && !Integer<T>::is) {
    T to;
    __builtin_memcpy(&to, &v, sizeof to);
    return to;
  } else {
    return static_cast<T>(v);
  }
}
template <class U, class T> inline void put(U& to, T v) { to = as<U>(v); }
template <class T, class A, class B> inline T joined(const A& low, const B& high) {
  T to{};
  __builtin_memcpy(&to, &low, sizeof to / 2);
  __builtin_memcpy(reinterpret_cast<char*>(&to) + sizeof to / 2, &high, sizeof to / 2);
  return to;
}
template <class T, class A, class B> inline void part(T v, A& low, B& high) {
  __builtin_memcpy(&low, &v, sizeof v / 2);
  __builtin_memcpy(&high, reinterpret_cast<const char*>(&v) + sizeof v / 2, sizeof v / 2);
}

template <class T> using Unsigned = typename Integer<T>::without;
#define BENCH_SIM_WHOLE(name, wrapped, value)                                                   \
  template <class T> inline T name(T a, T b) {                                                  \
    if constexpr (Integer<T>::is) return static_cast<T>(static_cast<Unsigned<T>>(a) wrapped static_cast<Unsigned<T>>(b)); \
    else return value;                                                                          \
  }
BENCH_SIM_WHOLE(add_, +, a + b) BENCH_SIM_WHOLE(sub_, -, a - b) BENCH_SIM_WHOLE(mul_, *, a * b)
#undef BENCH_SIM_WHOLE
template <class T> inline T mul_lo_(T a, T b) { return mul_(a, b); }
template <class T> inline typename Integer<T>::wide mul_wide_(T a, T b) { return static_cast<typename Integer<T>::wide>(a) * static_cast<typename Integer<T>::wide>(b); }
template <class T> inline T mul_hi_(T a, T b) { return static_cast<T>(mul_wide_(a, b) >> 8 * sizeof(T)); }
template <class T> inline T mad_lo_(T a, T b, T c) { return add_(mul_(a, b), c); }
template <class T> inline T mad_hi_(T a, T b, T c) { return add_(mul_hi_(a, b), c); }
template <class T, class W> inline W mad_wide_(T a, T b, W c) { return add_(static_cast<W>(mul_wide_(a, b)), c); }
inline float fma_(float a, float b, float c) { return fmaf(a, b, c); }
inline double fma_(double a, double b, double c) { return fma(a, b, c); }
template <int p, int e> inline Short<p, e> fma_(Short<p, e> a, Short<p, e> b, Short<p, e> c) { return __hfma(a, b, c); }
template <int p, int e> inline Short2<p, e> fma_(Short2<p, e> a, Short2<p, e> b, Short2<p, e> c) { return __hfma2(a, b, c); }
template <class T> inline T mad_(T a, T b, T c) { return fma_(a, b, c); }
inline float add_sat_(float a, float b) { return saturatef(a + b); }
inline float sub_sat_(float a, float b) { return saturatef(a - b); }
inline float mul_sat_(float a, float b) { return saturatef(a * b); }
inline float fma_sat_(float a, float b, float c) { return saturatef(fmaf(a, b, c)); }
template <class T> inline T div_(T a, T b) { return a / b; }
template <class T> inline T rem_(T a, T b) { return a % b; }
template <class T> inline T min_(T a, T b) {
  if constexpr (Integer<T>::is) return b < a ? b : a;
  else if constexpr (sizeof(T) == 8) return fmin(a, b);
  else if constexpr (sizeof(T) == 2) return __hmin(a, b);
  else return fminf(a, b);
}
template <class T> inline T max_(T a, T b) {
  if constexpr (Integer<T>::is) return a < b ? b : a;
  else if constexpr (sizeof(T) == 8) return fmax(a, b);
  else if constexpr (sizeof(T) == 2) return __hmax(a, b);
  else return fmaxf(a, b);
}
template <int p, int e> inline Short2<p, e> min_(Short2<p, e> a, Short2<p, e> b) { return __hmin2(a, b); }
template <int p, int e> inline Short2<p, e> max_(Short2<p, e> a, Short2<p, e> b) { return __hmax2(a, b); }
template <class T> inline T and_(T a, T b) { return static_cast<T>(a & b); }
template <class T> inline T or_(T a, T b) { return static_cast<T>(a | b); }
template <class T> inline T xor_(T a, T b) { return static_cast<T>(a ^ b); }
template <class T> inline T not_(T a) { return static_cast<T>(~a); }
template <class T> inline T cnot_(T a) { return a == 0; }
template <class T> inline T neg_(T a) {
  if constexpr (Integer<T>::is) return static_cast<T>(0 - static_cast<Unsigned<T>>(a));
  else return -a;
}
template <class T> inline T abs_(T a) {
  if constexpr (sizeof(T) == 2 && !Integer<T>::is) return __habs(a);
  else return a < T(0) ? neg_(a) : a == T(0) ? T(0) : a;
}
template <class T> inline T shl_(T a, unsigned n) { return n < 8 * sizeof(T) ? static_cast<T>(static_cast<Unsigned<T>>(a) << n) : T(0); }
template <class T> inline T shr_(T a, unsigned n) {
  const unsigned most = 8 * sizeof(T) - 1;
  return n > most ? static_cast<T>(a < T(0) ? -1 : 0) : static_cast<T>(a >> n);
}
template <class T> inline unsigned popc_(T a) { return static_cast<unsigned>(__builtin_popcountll(static_cast<Unsigned<T>>(a))); }
inline unsigned clz_(unsigned a) { return static_cast<unsigned>(__clz(static_cast<int>(a))); }
inline unsigned clz_(unsigned long long a) { return static_cast<unsigned>(__clzll(static_cast<long long>(a))); }
inline unsigned brev_(unsigned a) { return __brev(a); }
inline unsigned long long brev_(unsigned long long a) { return __brevll(a); }
template <class T> inline unsigned bfind_(T a) {
  const Unsigned<T> bits = static_cast<Unsigned<T>>(a < T(0) ? ~a : a);
  return bits ? static_cast<unsigned>(63 - __builtin_clzll(bits)) : 0xffffffffu;
}
template <class T> inline T bfe_(T a, unsigned at, unsigned n) {
  const unsigned bits = 8 * sizeof(T);
  at &= 255;
  n &= 255;
  if (n == 0) return 0;
  const bool sign = a >> (at + n - 1 < bits - 1 ? at + n - 1 : bits - 1) & 1;
  T made = 0;
  for (unsigned i = 0; i < bits; i++) {
    const bool bit = i < n && at + i < bits ? a >> (at + i) & 1 : T(-1) < T(0) && sign;
    made = static_cast<T>(made | static_cast<T>(static_cast<Unsigned<T>>(bit) << i));
  }
  return made;
}
template <class T> inline T bfi_(T a, T b, unsigned at, unsigned n) {
  at &= 255;
  n &= 255;
  for (unsigned i = 0; i < n && at + i < 8 * sizeof(T); i++) b = static_cast<T>((b & ~(T(1) << (at + i))) | ((a >> i & 1) << (at + i)));
  return b;
}
inline unsigned prmt_(unsigned a, unsigned b, unsigned selector) { return __byte_perm(a, b, selector); }
inline unsigned lop3_(unsigned a, unsigned b, unsigned c, unsigned table) {
  unsigned made = 0;
  for (unsigned i = 0; i < 8; i++)
    if (table >> i & 1) made |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return made;
}
template <class T> inline T sad_(T a, T b, T c) { return add_(c, a < b ? sub_(b, a) : sub_(a, b)); }
inline unsigned shf_l_wrap_(unsigned a, unsigned b, unsigned n) { return __funnelshift_l(a, b, n); }
inline unsigned shf_r_wrap_(unsigned a, unsigned b, unsigned n) { return __funnelshift_r(a, b, n); }
inline unsigned shf_l_clamp_(unsigned a, unsigned b, unsigned n) { return __funnelshift_lc(a, b, n); }
inline unsigned shf_r_clamp_(unsigned a, unsigned b, unsigned n) { return n < 32 ? __funnelshift_r(a, b, n) : b; }
template <class T> inline T rcp_(T a) { return 1 / a; }
template <class T> inline T sqrt_(T a) { return ::sqrt(a); }
template <class T> inline T rsqrt_(T a) { return 1 / ::sqrt(a); }
inline float ex2_(float a) { return exp2f(a); }
inline float lg2_(float a) { return log2f(a); }
inline float sin_(float a) { return sinf(a); }
inline float cos_(float a) { return cosf(a); }
inline float tanh_(float a) { return tanhf(a); }
template <int p, int e> inline Short<p, e> ex2_(Short<p, e> a) { return hexp2(a); }
template <int p, int e> inline Short<p, e> tanh_(Short<p, e> a) { return htanh(a); }
template <int p, int e> inline Short2<p, e> ex2_(Short2<p, e> a) { return h2exp2(a); }
template <int p, int e> inline Short2<p, e> tanh_(Short2<p, e> a) { return h2tanh(a); }
template <class T> inline T copysign_(T a, T b) { return ::copysign(b, a); }  // of the first's sign
template <class T> inline T set_() { return Integer<T>::is ? T(-1) : T(1); }

// round: 0 to the nearest, which is also toward zero for whole numbers of whole numbers; 1 to 4 to a whole number.
template <class T, int round, bool saturated, class U>
inline T converted(U v) {
  if constexpr (Integer<T>::is && !Integer<U>::is) {
    const double x = static_cast<double>(sizeof(U) == 2 ? static_cast<float>(v) : v);
    const double y = round == 1 ? rint(x) : round == 3 ? floor(x) : round == 4 ? ceil(x) : trunc(x);
    const double least = T(-1) < T(0) ? -ldexp(1.0, 8 * static_cast<int>(sizeof(T)) - 1) : 0, most = ldexp(1.0, 8 * static_cast<int>(sizeof(T)) - (T(-1) < T(0)));
    if (y != y) return T(0);
    if (y < least) return static_cast<T>(least);
    if (y >= most) return static_cast<T>(~T(0) ^ (T(-1) < T(0) ? static_cast<T>(Unsigned<T>(1) << (8 * sizeof(T) - 1)) : T(0)));
    return static_cast<T>(y);
  } else if constexpr (Integer<T>::is) {
    if (saturated) {
      const __int128 x = v, least = T(-1) < T(0) ? -(static_cast<__int128>(1) << (8 * sizeof(T) - 1)) : 0, most = (static_cast<__int128>(1) << (8 * sizeof(T) - (T(-1) < T(0)))) - 1;
      return static_cast<T>(x < least ? least : x > most ? most : x);
    }
    return static_cast<T>(v);
  } else {
    const T x = static_cast<T>(v);
    if constexpr (!Integer<U>::is && round > 0) return static_cast<T>(round == 1 ? rint(x) : round == 2 ? trunc(x) : round == 3 ? floor(x) : ceil(x));
    else return saturated ? (x > T(1) ? T(1) : x > T(0) ? x : T(0)) : x;
  }
}
template <class T, class U> inline T packed(U low, U high) { return {decltype(T::x)(low), decltype(T::x)(high)}; }
inline unsigned tf32(float x) {
  const unsigned bits = __float_as_uint(x);
  return isnan(x) || isinf(x) ? bits : (bits + 0x1000) & ~0x1fffu;
}

// Memory, with the checks of a plain access or of a strong one.
template <bool strong, class T> __forceinline__ T load(const T* p) {
  if constexpr (strong) return __ldcv(p);
  else return *p;
}
template <bool strong, class T> __forceinline__ void store(T* p, T v) {
  if constexpr (strong) *const_cast<volatile T*>(p) = v;
  else *p = v;
}
template <int n, class T> inline T* vector_at(T* p, Place at = here()) {
  if (reinterpret_cast<unsigned long>(p) % (n * sizeof(T))) bench_sim_fail("misaligned: a vector's address is no multiple of its size", at);
  return p;
}
__forceinline__ void copy(void* to, const void* from, unsigned bytes, unsigned taken) {
  unsigned* word = static_cast<unsigned*>(to);
  for (unsigned i = 0; i < bytes / 4; i++) word[i] = 4 * i < taken ? static_cast<const unsigned*>(from)[i] : 0;
}

// shfl.sync: c holds the last lane of a segment, and above it the mask of segments.
template <int mode>
inline unsigned shuffle(unsigned v, unsigned b, unsigned c, unsigned mask, bool& valid, Place at = here()) {
  const int lane = static_cast<int>(laneid()), segments = static_cast<int>(c >> 8 & 31), clamp = static_cast<int>(c & 31);
  const int last = (lane & segments) | (clamp & ~segments), first = lane & segments;
  int from = 0;
  if (mode == 0) from = lane - static_cast<int>(b & 31), valid = from >= last;
  else if (mode == 1) from = lane + static_cast<int>(b & 31), valid = from <= last;
  else if (mode == 2) from = lane ^ static_cast<int>(b & 31), valid = from <= last;
  else from = first | (static_cast<int>(b & 31) & ~segments), valid = from <= last;
  return bench_sim::shuffle(mask, v, static_cast<unsigned>(valid ? from : lane), at);
}

}  // namespace ptx
}  // namespace bench_sim
