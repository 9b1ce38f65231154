// CUDA C++ for g++: what a kernel finds without an #include, as under NVRTC.
// It includes no system header, so that a kernel can use any name that NVRTC
// leaves free.
#pragma once

#include "abi.h"

#define BENCH_SIM 1
#define __CUDACC__ 1
#define __CUDACC_RTC__ 1

#define __global__
#define __device__
#define __host__
#define __constant__
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

static constexpr int warpSize = 32;
#define threadIdx (bench_sim_current->index)
#define blockIdx (bench_sim_current->block->index)
#define blockDim (bench_sim_current->block->dim)
#define gridDim (bench_sim_current->block->grid)

#define assert(condition) ((condition) ? (void)0 : bench_sim_fail("assertion failed: " #condition, __LINE__))
#define __trap() bench_sim_fail("__trap()", __LINE__)
#define __builtin_assume(condition) ((condition) ? (void)0 : __builtin_unreachable())

extern "C" {
int printf(const char*, ...);
void* memcpy(void*, const void*, size_t) noexcept;
void* memset(void*, int, size_t) noexcept;
}

namespace bench_sim {

template <class T>
inline T* dynamic_shared() { return static_cast<T*>(bench_sim_dynamic_shared()); }

// Every atomic and fence may be part of a loop that waits for another thread.
inline void tick() {
  if (__builtin_expect(--bench_sim_current->budget < 0, 0)) bench_sim_yield();
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
#include "intrinsics.h"
#include "collective.h"
#include "atomic.h"
