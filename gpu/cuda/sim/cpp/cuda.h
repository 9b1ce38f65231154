// CUDA C++ for g++: what a kernel finds without an #include, as under NVRTC.
// It includes no system header, so that a kernel can use any name that NVRTC
// leaves free.
#pragma once

#include "abi.h"

#define BENCH_SIM 1
#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
// Of the release whose NVRTC the simulator stands for.
#define CUDART_VERSION 13000
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0

#define __device__
#define __host__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __inline__ inline
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
// A block's variables are those of the worker thread that runs it; package sim
// turns "extern __shared__ T name[]" into a reference to the dynamic part.
#define __shared__ static thread_local

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef long clock_t;

static constexpr int warpSize = 32;
// The bound of an array is written as warp_size(), which is no constant for nvcc either.
namespace bench_sim {
inline int warp_size() { return warpSize; }
// The argument of #pragma unroll, if there is one: a whole number that is a constant.
template <auto value> constexpr bool constant = true;
template <class T, class... More> constexpr auto turns(T n, More...) -> decltype(n | 0) { return n | 0; }
constexpr int turns() { return 0; }
}  // namespace bench_sim
#ifdef BENCH_SIM_CHECKS
// An endless loop without effect has the line of its function only: the kernel's own.
#define __global__ __attribute__((noinline))
// Each variable in a section of its own: g++ mixes no constant ones with others in one.
#define BENCH_SIM_SECTION(n) BENCH_SIM_SECTION_OF(n)
#define BENCH_SIM_SECTION_OF(n) __attribute__((section("bench_constant." #n)))
#define __constant__ BENCH_SIM_SECTION(__COUNTER__)

// Reads and writes of a thread's own state are not announced as those of memory are.
namespace bench_sim {
template <class T>
__attribute__((always_inline)) inline T quiet(const T& from) {
  T to;
#if defined(__x86_64__)
  if constexpr (sizeof(T) == 4) asm("movl %1, %0" : "=r"(to) : "m"(from));
  else asm("movq %1, %0" : "=r"(to) : "m"(from));
#else
  if constexpr (sizeof(T) == 4) asm("ldr %w0, %1" : "=r"(to) : "m"(from));
  else asm("ldr %0, %1" : "=r"(to) : "m"(from));
#endif
  return to;
}
__attribute__((always_inline)) inline void quietly(int& to, int v) {
#if defined(__x86_64__)
  asm volatile("movl %1, %0" : "=m"(to) : "r"(v));
#else
  asm volatile("str %w1, %0" : "=m"(to) : "r"(v));
#endif
}
__attribute__((always_inline)) inline uint3 quiet3(const uint3& v) { return {quiet(v.x), quiet(v.y), quiet(v.z)}; }
__attribute__((always_inline)) inline dim3 quiet3(const dim3& v) { return {quiet(v.x), quiet(v.y), quiet(v.z)}; }
__attribute__((always_inline)) inline const BlockView* block() { return quiet(bench_sim_current->block); }
}  // namespace bench_sim
#define threadIdx (bench_sim::quiet3(bench_sim_current->index))
#define blockIdx (bench_sim::quiet3(bench_sim::block()->index))
#define blockDim (bench_sim::quiet3(bench_sim::block()->dim))
#define gridDim (bench_sim::quiet3(bench_sim::block()->grid))
// Of the simulator's own functions, whose accesses are not announced.
#define BENCH_SIM_QUIET __attribute__((noinline, no_sanitize("thread")))
#else
#define __global__
#define __constant__
#define BENCH_SIM_QUIET
namespace bench_sim {
template <class T>
inline const T& quiet(const T& from) { return from; }
inline void quietly(int& to, int v) { to = v; }
inline const BlockView* block() { return bench_sim_current->block; }
}  // namespace bench_sim
#define threadIdx (bench_sim_current->index)
#define blockIdx (bench_sim_current->block->index)
#define blockDim (bench_sim_current->block->dim)
#define gridDim (bench_sim_current->block->grid)
#endif

#define assert(condition) ((condition) ? (void)0 : bench_sim_fail("assertion failed: " #condition, bench_sim::here()))
#define __trap() bench_sim_fail("__trap()", bench_sim::here())
#define __builtin_assume(condition) ((condition) ? (void)0 : __builtin_unreachable())

extern "C" {
int printf(const char*, ...);
void* memcpy(void*, const void*, size_t) noexcept;
void* memset(void*, int, size_t) noexcept;
#ifdef BENCH_SIM_CHECKS
void __tsan_read_range(const void*, size_t);
void __tsan_write_range(void*, size_t);
#endif
}
#ifdef BENCH_SIM_CHECKS
#define memcpy(to, from, n) (bench_sim::copy(to, from, n))
#define memset(to, value, n) (bench_sim::set(to, value, n))
namespace bench_sim {
__attribute__((always_inline)) inline void* copy(void* to, const void* from, size_t n) {
  __tsan_read_range(from, n);
  __tsan_write_range(to, n);
  return __builtin_memcpy(to, from, n);
}
__attribute__((always_inline)) inline void* set(void* to, int value, size_t n) {
  __tsan_write_range(to, n);
  return __builtin_memset(to, value, n);
}
}  // namespace bench_sim
#endif

namespace bench_sim {

template <class T>
inline T* dynamic_shared() { return static_cast<T*>(bench_sim_dynamic_shared()); }

// Every atomic and fence may be part of a loop that waits for another thread.
__forceinline__ void tick() {
  int left = quiet(bench_sim_current->budget) - 1;
  quietly(bench_sim_current->budget, left);
  if (__builtin_expect(left < 0, 0)) bench_sim_give_way(256);
}

template <class To, class From>
inline To bits(From from) {
  static_assert(sizeof(To) >= sizeof(From), "bits must fit");
  To to{};
  __builtin_memcpy(&to, &from, sizeof from);
  return to;
}

template <class To>
inline To narrow(Word word) {
  To to;
  __builtin_memcpy(&to, &word, sizeof to);
  return to;
}

}  // namespace bench_sim

#include "vector.h"
#include "maths.h"
#include "special.h"
#include "rounding.h"
#include "intrinsics.h"
#include "simd.h"
#include "space.h"
#include "registers.h"
#include "texture.h"
#include "collective.h"
#include "atomic.h"
#include "kernels.h"
