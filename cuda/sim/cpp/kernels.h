// What package sim appends to a kernel source: for each kernel an entry that
// takes its arguments from an array, their types and its launch bound.
#pragma once

namespace bench_sim {

template <unsigned long... I> struct Sequence {};

template <class... A, unsigned long... I>
inline void call(void (*kernel)(A...), void** args, Sequence<I...>) {
  (void)args;
  kernel(*static_cast<A*>(args[I])...);
}

template <class... A>
inline void call(void (*kernel)(A...), void** args) { call(kernel, args, Sequence<__integer_pack(sizeof...(A))...>()); }

template <class T> struct Code { static constexpr char value = '?'; };
template <class T> struct Code<T*> { static constexpr char value = 'p'; };
template <> struct Code<int> { static constexpr char value = 'i'; };
template <> struct Code<unsigned> { static constexpr char value = 'u'; };
template <> struct Code<long> { static constexpr char value = 'I'; };
template <> struct Code<unsigned long> { static constexpr char value = 'U'; };
template <> struct Code<long long> { static constexpr char value = 'I'; };
template <> struct Code<unsigned long long> { static constexpr char value = 'U'; };
template <> struct Code<float> { static constexpr char value = 'f'; };
template <> struct Code<double> { static constexpr char value = 'd'; };

template <class... A>
inline const char* signature(void (*)(A...)) {
  static const char codes[] = {Code<A>::value..., 0};
  return codes;
}

}  // namespace bench_sim

#define BENCH_SIM_EXPORT extern "C" __attribute__((visibility("default")))

#define BENCH_SIM_KERNEL(name) \
  BENCH_SIM_EXPORT void bench_sim_call_##name(void** args) { bench_sim::call(&::name, args); } \
  BENCH_SIM_EXPORT const char* bench_sim_signature_##name() { return bench_sim::signature(&::name); }

// The first of the arguments of __launch_bounds__.
#define BENCH_SIM_BOUND(name, ...)                  \
  BENCH_SIM_EXPORT int bench_sim_bound_##name() {   \
    const long long bounds[] = {__VA_ARGS__};       \
    return static_cast<int>(bounds[0]);             \
  }

// A module with __shared__ variables: the calling thread gets its own.
#define BENCH_SIM_SHARED                                          \
  static thread_local char bench_sim_anchor __attribute__((used)); \
  BENCH_SIM_EXPORT char* bench_sim_shared() { return &bench_sim_anchor; }
