// What the parameters of a kernel consist of, as package sim says it: "f32*", "f32 i32" of a
// structure of up to four fields, "enum4" of an enumeration of four bytes, "?" where it is not known.
#pragma once

namespace bench_sim {

template <unsigned long... I> struct Sequence {};

struct Text {
  char *to, *end;
  void put(const char* s) {
    while (*s && to < end) *to++ = *s++;
  }
};

template <int, int> struct Short;
template <int, int> struct Short2;
template <class T> struct Part { static constexpr const char* name = nullptr; };
#define BENCH_SIM_PART(text, ...) template <> struct Part<__VA_ARGS__> { static constexpr const char* name = text; };
BENCH_SIM_PART("void", void) BENCH_SIM_PART("bool", bool) BENCH_SIM_PART("char", char)
BENCH_SIM_PART("i8", signed char) BENCH_SIM_PART("u8", unsigned char) BENCH_SIM_PART("i16", short) BENCH_SIM_PART("u16", unsigned short)
BENCH_SIM_PART("i32", int) BENCH_SIM_PART("u32", unsigned) BENCH_SIM_PART("i64", long) BENCH_SIM_PART("u64", unsigned long)
BENCH_SIM_PART("i64", long long) BENCH_SIM_PART("u64", unsigned long long) BENCH_SIM_PART("f32", float) BENCH_SIM_PART("f64", double)
BENCH_SIM_PART("f16", Short<11, -14>) BENCH_SIM_PART("f16 f16", Short2<11, -14>)
BENCH_SIM_PART("bf16", Short<8, -126>) BENCH_SIM_PART("bf16 bf16", Short2<8, -126>)
#undef BENCH_SIM_PART

template <class T> struct Plain { typedef T type; };
template <class T> struct Plain<const T> { typedef T type; };
template <class T> struct Plain<volatile T> { typedef T type; };
template <class T> struct Plain<const volatile T> { typedef T type; };

// A value for any field of T, but not for what T is derived from.
template <bool> struct If {};
template <> struct If<true> { typedef int yes; };
template <class T> struct Anything {
  template <class U, class = typename If<!__is_base_of(U, T)>::yes> operator U() const;
};
template <class T, unsigned long> using Field = Anything<T>;

// Says whether n values make a T, and whether n in braces do. Where the most of both are one number, it is that of the
// fields: an array takes several of the former, and what has constructors may take none of the latter.
template <class T, unsigned long... I> constexpr auto takes(Sequence<I...>, int) -> decltype(T{Field<T, I>{}...}, true) { return true; }
template <class T, unsigned long... I> constexpr bool takes(Sequence<I...>, ...) { return false; }
template <class T, unsigned long... I> constexpr auto takes_braces(Sequence<I...>, int) -> decltype(T{{Field<T, I>{}}...}, true) { return true; }
template <class T, unsigned long... I> constexpr bool takes_braces(Sequence<I...>, ...) { return false; }

enum { MOST_FIELDS = 4 };
template <class T, unsigned n = MOST_FIELDS + 1>
constexpr unsigned fields() {
  typedef Sequence<__integer_pack(n)...> Values;
  if constexpr (n == 0) return 0;
  else if constexpr (takes<T>(Values{}, 0) || takes_braces<T>(Values{}, 0)) return takes<T>(Values{}, 0) && takes_braces<T>(Values{}, 0) && n <= MOST_FIELDS ? n : 0;
  else return fields<T, n - 1>();
}

template <class Q> void describe(Text& t);
template <class First, class... Rest>
void describe_all(Text& t) {
  describe<First>(t);
  ((t.put(" "), describe<Rest>(t)), ...);
}

template <class T>
void describe_fields(Text& t) {
  alignas(T) static char room[sizeof(T)];
  [[maybe_unused]] T& v = reinterpret_cast<T&>(room);
  constexpr unsigned n = fields<T>();
  if constexpr (n == 1) {
    auto& [a] = v;
    describe_all<decltype(a)>(t);
  } else if constexpr (n == 2) {
    auto& [a, b] = v;
    describe_all<decltype(a), decltype(b)>(t);
  } else if constexpr (n == 3) {
    auto& [a, b, c] = v;
    describe_all<decltype(a), decltype(b), decltype(c)>(t);
  } else if constexpr (n == 4) {
    auto& [a, b, c, d] = v;
    describe_all<decltype(a), decltype(b), decltype(c), decltype(d)>(t);
  } else {
    t.put("?");
  }
}

template <class Q>
void describe(Text& t) {
  typedef typename Plain<Q>::type T;
  if constexpr (Part<T>::name != nullptr) t.put(Part<T>::name);
  else if constexpr (__is_enum(T)) t.put(sizeof(T) == 1 ? "enum1" : sizeof(T) == 2 ? "enum2" : sizeof(T) == 4 ? "enum4" : "enum8");
  else if constexpr (__is_class(T)) {
    if constexpr (__is_aggregate(T) && __is_standard_layout(T)) describe_fields<T>(t);
    else t.put("?");
  } else t.put("?");
}

template <class T> struct Parameter { static void put(Text& t) { describe<T>(t); } };
template <class T> struct Parameter<T*> {
  static void put(Text& t) {
    describe<T>(t);
    t.put("*");
  }
};

// The parameters of a kernel, each with a semicolon after it.
template <class... A>
BENCH_SIM_QUIET const char* types(void (*)(A...)) {
  static char text[sizeof...(A) * 160 + 1];
  Text t = {text, text + sizeof text - 1};
  ((Parameter<A>::put(t), t.put(";")), ...);
  *t.to = 0;
  return text;
}

}  // namespace bench_sim
