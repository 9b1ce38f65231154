// Intrinsics of one thread: arithmetic, conversions, bits, loads and stores
// with cache hints, clocks.
#pragma once

namespace bench_sim {
// Keeps the compiler from joining a product and a sum into one rounding.
template <class T>
inline T rounded(T x) {
#if defined(__x86_64__)
  asm("" : "+x"(x));
#else
  asm("" : "+w"(x));
#endif
  return x;
}
}  // namespace bench_sim

inline float __fadd_rn(float a, float b) { return bench_sim::rounded(a + b); }
inline float __fsub_rn(float a, float b) { return bench_sim::rounded(a - b); }
inline float __fmul_rn(float a, float b) { return bench_sim::rounded(a * b); }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __frcp_rn(float a) { return 1.0f / a; }
inline float __fsqrt_rn(float a) { return sqrtf(a); }
inline float __frsqrt_rn(float a) { return static_cast<float>(1.0 / sqrt(static_cast<double>(a))); }
inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline float __fdividef(float a, float b) { return a / b; }
inline double __dadd_rn(double a, double b) { return bench_sim::rounded(a + b); }
inline double __dsub_rn(double a, double b) { return bench_sim::rounded(a - b); }
inline double __dmul_rn(double a, double b) { return bench_sim::rounded(a * b); }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline double __drcp_rn(double a) { return 1.0 / a; }
inline double __dsqrt_rn(double a) { return sqrt(a); }
inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
inline float __sinf(float x) { return sinf(x); }
inline float __cosf(float x) { return cosf(x); }
inline float __tanf(float x) { return tanf(x); }
inline void __sincosf(float x, float* s, float* c) { sincosf(x, s, c); }
inline float __expf(float x) { return expf(x); }
inline float __exp10f(float x) { return exp10f(x); }
inline float __logf(float x) { return logf(x); }
inline float __log2f(float x) { return log2f(x); }
inline float __log10f(float x) { return log10f(x); }
inline float __powf(float x, float y) { return powf(x, y); }
inline float __saturatef(float x) { return saturatef(x); }

inline int __float_as_int(float x) { return bench_sim::bits<int>(x); }
inline unsigned __float_as_uint(float x) { return bench_sim::bits<unsigned>(x); }
inline float __int_as_float(int x) { return bench_sim::bits<float>(x); }
inline float __uint_as_float(unsigned x) { return bench_sim::bits<float>(x); }
inline long long __double_as_longlong(double x) { return bench_sim::bits<long long>(x); }
inline double __longlong_as_double(long long x) { return bench_sim::bits<double>(x); }
inline int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }
inline int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
inline double __hiloint2double(int high, int low) {
  return __longlong_as_double(static_cast<long long>(static_cast<unsigned long long>(static_cast<unsigned>(high)) << 32 | static_cast<unsigned>(low)));
}
inline int __mulhi(int a, int b) { return static_cast<int>(static_cast<long long>(a) * b >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32); }
inline long long __mul64hi(long long a, long long b) { return static_cast<long long>(static_cast<__int128>(a) * b >> 64); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
inline int __mul24(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(static_cast<int>(static_cast<unsigned>(a) << 8) >> 8) * static_cast<unsigned>(static_cast<int>(static_cast<unsigned>(b) << 8) >> 8));
}
inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
inline unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }
inline unsigned __sad(int a, int b, unsigned c) {
  return (a > b ? static_cast<unsigned>(a) - static_cast<unsigned>(b) : static_cast<unsigned>(b) - static_cast<unsigned>(a)) + c;
}
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x ? __builtin_clz(static_cast<unsigned>(x)) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64; }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __brev(unsigned x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
inline unsigned long long __brevll(unsigned long long x) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 | __brev(static_cast<unsigned>(x >> 32));
}
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  unsigned long long both = static_cast<unsigned long long>(y) << 32 | x;
  unsigned result = 0;
  for (unsigned i = 0; i < 4; i++) {
    unsigned byte = static_cast<unsigned>(both >> (selector >> 4 * i & 7) * 8) & 0xff;
    if (selector >> 4 * i & 8) byte = byte & 0x80 ? 0xff : 0;
    result |= byte << 8 * i;
  }
  return result;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) << (shift & 31) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> (shift & 31));
}

// Half the sum of two, rounded down, or up with an r before it.
inline int __hadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b) >> 1); }
inline int __rhadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1); }
inline unsigned __uhadd(unsigned a, unsigned b) { return static_cast<unsigned>((static_cast<unsigned long long>(a) + b) >> 1); }
inline unsigned __urhadd(unsigned a, unsigned b) { return static_cast<unsigned>((static_cast<unsigned long long>(a) + b + 1) >> 1); }
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) { return shift < 32 ? __funnelshift_l(low, high, shift) : low; }
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) { return shift < 32 ? __funnelshift_r(low, high, shift) : high; }
// The place of a set bit, counted from one at base on: the offset-th upwards, downwards where it is negative.
inline unsigned __fns(unsigned mask, unsigned base, int offset) {
  if (offset == 0) return mask >> (base & 31) & 1 ? base : 0xffffffffu;
  const int step = offset > 0 ? 1 : -1;
  for (int i = static_cast<int>(base); i >= 0 && i < 32; i += step)
    if (mask >> i & 1 && (offset -= step) == 0) return static_cast<unsigned>(i);
  return 0xffffffffu;
}

template <class T> inline T __ldg(const T* p) { return *p; }
template <class T> inline T __ldca(const T* p) { return *p; }
template <class T> inline T __ldcg(const T* p) { return *p; }
template <class T> inline T __ldcs(const T* p) { return *p; }
template <class T> inline T __ldlu(const T* p) { return *p; }
// Loads anew each time: a loop may wait for another thread with it.
#ifdef BENCH_SIM_CHECKS
template <class T> __attribute__((noinline, no_sanitize("thread"))) T bench_sim_load(const T* p) { return *p; }
#endif
template <class T> inline T __ldcv(const T* p) {
  bench_sim::tick();
  asm volatile("" ::: "memory");
#ifdef BENCH_SIM_CHECKS
  bench_sim_strong_load(p, sizeof(T));
  return bench_sim_load(p);
#else
  return *p;
#endif
}
template <class T> inline void __stwb(T* p, T v) { *p = v; }
template <class T> inline void __stcg(T* p, T v) { *p = v; }
template <class T> inline void __stcs(T* p, T v) { *p = v; }
template <class T> inline void __stwt(T* p, T v) { *p = v; }

// Nanoseconds of the host's clock: they increase, and measure nothing.
inline long long clock64() { return bench_sim_clock(); }
inline clock_t clock() { return static_cast<clock_t>(bench_sim_clock()); }
inline unsigned long long globaltimer() { return static_cast<unsigned long long>(bench_sim_clock()); }
namespace bench_sim {
void no_assembler() __attribute__((error("inline PTX that the simulator does not know")));
}
inline void __nanosleep(unsigned) { bench_sim_give_way(16); }
