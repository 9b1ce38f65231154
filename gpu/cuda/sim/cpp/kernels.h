// Of what package sim appends to a kernel source: for each kernel an entry that
// takes its arguments from an array, their types and its launch bound. It comes before the
// source, whose macros would change it.
#pragma once
#include "parameters.h"

namespace bench_sim {

template <class... A, unsigned long... I>
BENCH_SIM_QUIET inline void call(void (*kernel)(A...), void** args, Sequence<I...>) {
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

// The bytes of each parameter.
template <class... A>
inline const unsigned* sizes(void (*)(A...)) {
  static const unsigned list[] = {static_cast<unsigned>(sizeof(A))..., 0};
  return list;
}

template <class... A>
inline const char* signature(void (*)(A...)) {
  static const char codes[] = {Code<A>::value..., 0};
  return codes;
}

}  // namespace bench_sim

#define BENCH_SIM_EXPORT extern "C" __attribute__((visibility("default")))

// Kernel number i, and what C++ calls it.
#define BENCH_SIM_KERNEL(i, ...)                                                                              \
  BENCH_SIM_EXPORT void bench_sim_call_##i(void** args) { bench_sim::call(&__VA_ARGS__, args); }              \
  BENCH_SIM_EXPORT const char* bench_sim_signature_##i() { return bench_sim::signature(&__VA_ARGS__); }       \
  BENCH_SIM_EXPORT const unsigned* bench_sim_sizes_##i() { return bench_sim::sizes(&__VA_ARGS__); }      \
  BENCH_SIM_EXPORT const char* bench_sim_types_##i() { return bench_sim::types(&__VA_ARGS__); }

// The first of the arguments of __launch_bounds__.
#define BENCH_SIM_BOUND(i, ...)                     \
  BENCH_SIM_EXPORT int bench_sim_bound_##i() {      \
    const long long bounds[] = {__VA_ARGS__};       \
    return static_cast<int>(bounds[0]);             \
  }

// Variable number i of the device.
#define BENCH_SIM_GLOBAL(i, ...)                                                                                             \
  BENCH_SIM_EXPORT void* bench_sim_global_##i() { return const_cast<void*>(static_cast<const volatile void*>(&(__VA_ARGS__))); } \
  BENCH_SIM_EXPORT unsigned long bench_sim_global_bytes_##i() { return sizeof(__VA_ARGS__); }

// A module with __shared__ variables: the calling thread gets its own.
#define BENCH_SIM_SHARED                                          \
  static thread_local char bench_sim_anchor __attribute__((used)); \
  BENCH_SIM_EXPORT char* bench_sim_shared() { return &bench_sim_anchor; }
