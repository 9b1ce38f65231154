// Words of two or four integers, and sums of products of them (CUDA Math API, "SIMD Intrinsics").
#pragma once

namespace bench_sim {

// The parts of a word, lowest first, as signed or unsigned numbers.
template <int n, bool is_signed>
__forceinline__ int part(unsigned word, int i) {
  const int bits = 32 / n;
  const unsigned raw = word >> bits * i << (32 - bits);
  return is_signed ? static_cast<int>(raw) >> (32 - bits) : static_cast<int>(raw >> (32 - bits));
}

// A word of what f makes of the parts of two, cut to their bits.
template <int n, bool is_signed, class F>
__forceinline__ unsigned each_part(unsigned a, unsigned b, F f) {
  const int bits = 32 / n;
  unsigned word = 0;
  for (int i = 0; i < n; i++) word |= (static_cast<unsigned>(f(part<n, is_signed>(a, i), part<n, is_signed>(b, i))) << (32 - bits) >> (32 - bits)) << bits * i;
  return word;
}

template <int n, bool is_signed>
__forceinline__ int clamp_part(int x) {
  const int most = is_signed ? (1 << (32 / n - 1)) - 1 : (1 << 32 / n) - 1, least = is_signed ? -most - 1 : 0;
  return x < least ? least : x > most ? most : x;
}

// The sum of differences without sign.
template <int n, bool is_signed>
__forceinline__ unsigned sum_of_differences(unsigned a, unsigned b) {
  unsigned sum = 0;
  for (int i = 0; i < n; i++) {
    const int d = part<n, is_signed>(a, i) - part<n, is_signed>(b, i);
    sum += static_cast<unsigned>(d < 0 ? -d : d);
  }
  return sum;
}

}  // namespace bench_sim

#define BENCH_SIM_PARTS(name, n, is_signed, value)                                                             \
  inline unsigned name(unsigned first, unsigned second) {                                                      \
    return bench_sim::each_part<n, is_signed>(first, second, [](int a, int b) { (void)a, (void)b; return value; }); \
  }
#define BENCH_SIM_PARTS_OF_ONE(name, n, value)                                                                 \
  inline unsigned name(unsigned word) {                                                                        \
    return bench_sim::each_part<n, true>(word, 0, [](int a, int) { return value; });                           \
  }
#define BENCH_SIM_COMPARED(n, what, is_signed, op)                                                             \
  BENCH_SIM_PARTS(__vcmp##what##n, n, is_signed, a op b ? -1 : 0) BENCH_SIM_PARTS(__vset##what##n, n, is_signed, a op b ? 1 : 0)
#define BENCH_SIM_WORDS(n)                                                                                     \
  BENCH_SIM_PARTS(__vadd##n, n, false, a + b) BENCH_SIM_PARTS(__vsub##n, n, false, a - b)                      \
  BENCH_SIM_PARTS(__vaddss##n, n, true, (bench_sim::clamp_part<n, true>(a + b)))                               \
  BENCH_SIM_PARTS(__vaddus##n, n, false, (bench_sim::clamp_part<n, false>(a + b)))                             \
  BENCH_SIM_PARTS(__vsubss##n, n, true, (bench_sim::clamp_part<n, true>(a - b)))                               \
  BENCH_SIM_PARTS(__vsubus##n, n, false, (bench_sim::clamp_part<n, false>(a - b)))                             \
  BENCH_SIM_PARTS(__vavgs##n, n, true, a + b < 0 ? (a + b) >> 1 : (a + b + 1) >> 1)                            \
  BENCH_SIM_PARTS(__vavgu##n, n, false, (a + b + 1) >> 1) BENCH_SIM_PARTS(__vhaddu##n, n, false, (a + b) >> 1) \
  BENCH_SIM_PARTS(__vmaxs##n, n, true, a < b ? b : a) BENCH_SIM_PARTS(__vmaxu##n, n, false, a < b ? b : a)     \
  BENCH_SIM_PARTS(__vmins##n, n, true, b < a ? b : a) BENCH_SIM_PARTS(__vminu##n, n, false, b < a ? b : a)     \
  BENCH_SIM_PARTS(__vabsdiffs##n, n, true, a < b ? b - a : a - b)                                              \
  BENCH_SIM_PARTS(__vabsdiffu##n, n, false, a < b ? b - a : a - b)                                             \
  BENCH_SIM_PARTS_OF_ONE(__vabs##n, n, a < 0 ? -a : a)                                                         \
  BENCH_SIM_PARTS_OF_ONE(__vabsss##n, n, (bench_sim::clamp_part<n, true>(a < 0 ? -a : a)))                     \
  BENCH_SIM_PARTS_OF_ONE(__vneg##n, n, -a)                                                                     \
  BENCH_SIM_PARTS_OF_ONE(__vnegss##n, n, (bench_sim::clamp_part<n, true>(-a)))                                 \
  BENCH_SIM_COMPARED(n, eq, false, ==) BENCH_SIM_COMPARED(n, ne, false, !=)                                    \
  BENCH_SIM_COMPARED(n, ges, true, >=) BENCH_SIM_COMPARED(n, geu, false, >=)                                   \
  BENCH_SIM_COMPARED(n, gts, true, >) BENCH_SIM_COMPARED(n, gtu, false, >)                                     \
  BENCH_SIM_COMPARED(n, les, true, <=) BENCH_SIM_COMPARED(n, leu, false, <=)                                   \
  BENCH_SIM_COMPARED(n, lts, true, <) BENCH_SIM_COMPARED(n, ltu, false, <)                                     \
  inline unsigned __vsads##n(unsigned a, unsigned b) { return bench_sim::sum_of_differences<n, true>(a, b); }  \
  inline unsigned __vsadu##n(unsigned a, unsigned b) { return bench_sim::sum_of_differences<n, false>(a, b); }
BENCH_SIM_WORDS(2) BENCH_SIM_WORDS(4)
#undef BENCH_SIM_PARTS
#undef BENCH_SIM_PARTS_OF_ONE
#undef BENCH_SIM_COMPARED
#undef BENCH_SIM_WORDS

// Parts of two words that are multiplied, and a sum that they are added to.
#define BENCH_SIM_DOT(T, word4, word2)                                                                         \
  inline T __dp4a(T a, T b, T c) {                                                                             \
    unsigned sum = static_cast<unsigned>(c);                                                                   \
    for (int i = 0; i < 4; i++)                                                                                \
      sum += static_cast<unsigned>(bench_sim::part<4, (T(-1) < T(0))>(static_cast<unsigned>(a), i)) *           \
             static_cast<unsigned>(bench_sim::part<4, (T(-1) < T(0))>(static_cast<unsigned>(b), i));            \
    return static_cast<T>(sum);                                                                                \
  }                                                                                                            \
  inline T __dp4a(word4 a, word4 b, T c) { return __dp4a(bench_sim::bits<T>(a), bench_sim::bits<T>(b), c); }   \
  BENCH_SIM_DOT_OF_TWO(T, word4, word2, lo, 0) BENCH_SIM_DOT_OF_TWO(T, word4, word2, hi, 2)
#define BENCH_SIM_DOT_OF_TWO(T, word4, word2, half, from)                                                      \
  inline T __dp2a_##half(T a, T b, T c) {                                                                      \
    unsigned sum = static_cast<unsigned>(c);                                                                   \
    for (int i = 0; i < 2; i++)                                                                                \
      sum += static_cast<unsigned>(bench_sim::part<2, (T(-1) < T(0))>(static_cast<unsigned>(a), i)) *           \
             static_cast<unsigned>(bench_sim::part<4, (T(-1) < T(0))>(static_cast<unsigned>(b), from + i));     \
    return static_cast<T>(sum);                                                                                \
  }                                                                                                            \
  inline T __dp2a_##half(word2 a, word4 b, T c) { return __dp2a_##half(bench_sim::bits<T>(a), bench_sim::bits<T>(b), c); }
BENCH_SIM_DOT(int, char4, short2)
BENCH_SIM_DOT(unsigned, uchar4, ushort2)
#undef BENCH_SIM_DOT
#undef BENCH_SIM_DOT_OF_TWO
