// Atomic operations and fences. They are relaxed, as on a GPU: order needs a
// fence, whose order says for whom it is (see clock.h). All are in line, so that an access has the line of the call.
#pragma once

__forceinline__ void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); bench_sim::tick(); }
__forceinline__ void __threadfence_block() { __atomic_thread_fence(__ATOMIC_ACQ_REL); bench_sim::tick(); }
__forceinline__ void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); bench_sim::tick(); }

namespace bench_sim {

template <unsigned size> struct Bits;
template <> struct Bits<2> { typedef unsigned short type; };
template <> struct Bits<4> { typedef unsigned type; };
template <> struct Bits<8> { typedef unsigned long long type; };

// What an atomic operation found, where use is made of it.
template <class T>
__forceinline__ T former(T old, const void* p) {
#ifdef BENCH_SIM_CHECKS
  return static_cast<T>(old + static_cast<T>(bench_sim_former(p, sizeof old)));
#else
  (void)p;
  return old;
#endif
}

// Replaces *p by update(*p) and returns the former value. __atomic_compare_exchange_n would
// need a variable in memory, whose checked store would be of no source line.
template <class T, class Update>
__forceinline__ T atomic_update(T* p, Update update) {
  typedef typename Bits<sizeof(T)>::type B;
  B* raw = reinterpret_cast<B*>(p);
  B old = __atomic_load_n(raw, __ATOMIC_ACQUIRE);  // this order tells the checks that it is a part of the operation
  for (;;) {
    B found = __sync_val_compare_and_swap(raw, old, bits<B>(update(bits<T>(old))));
    if (found == old) break;
    old = found;
  }
  tick();
  return bits<T>(former(old, p));
}

}  // namespace bench_sim

#define BENCH_SIM_ATOMICS(T)                                                                                                  \
  __forceinline__ T atomicAdd(T* p, T v) { T old = __atomic_fetch_add(p, v, __ATOMIC_RELAXED); bench_sim::tick(); return bench_sim::former(old, p); } \
  __forceinline__ T atomicExch(T* p, T v) { T old = __atomic_exchange_n(p, v, __ATOMIC_RELAXED); bench_sim::tick(); return old; } \
  __forceinline__ T atomicAnd(T* p, T v) { T old = __atomic_fetch_and(p, v, __ATOMIC_RELAXED); bench_sim::tick(); return bench_sim::former(old, p); } \
  __forceinline__ T atomicOr(T* p, T v) { T old = __atomic_fetch_or(p, v, __ATOMIC_RELAXED); bench_sim::tick(); return bench_sim::former(old, p); } \
  __forceinline__ T atomicXor(T* p, T v) { T old = __atomic_fetch_xor(p, v, __ATOMIC_RELAXED); bench_sim::tick(); return bench_sim::former(old, p); } \
  __forceinline__ T atomicMin(T* p, T v) { return bench_sim::atomic_update(p, [v](T x) { return v < x ? v : x; }); } \
  __forceinline__ T atomicMax(T* p, T v) { return bench_sim::atomic_update(p, [v](T x) { return x < v ? v : x; }); } \
  __forceinline__ T atomicCAS(T* p, T expected, T v) { T old = __sync_val_compare_and_swap(p, expected, v); bench_sim::tick(); return bench_sim::former(old, p); }
BENCH_SIM_ATOMICS(int)
BENCH_SIM_ATOMICS(unsigned)
BENCH_SIM_ATOMICS(unsigned long long)
// As in CUDA, of long long only the minimum and maximum exist.
__forceinline__ long long atomicMin(long long* p, long long v) { return bench_sim::atomic_update(p, [v](long long x) { return v < x ? v : x; }); }
__forceinline__ long long atomicMax(long long* p, long long v) { return bench_sim::atomic_update(p, [v](long long x) { return x < v ? v : x; }); }
#undef BENCH_SIM_ATOMICS

__forceinline__ int atomicSub(int* p, int v) { return atomicAdd(p, static_cast<int>(0u - static_cast<unsigned>(v))); }
__forceinline__ unsigned atomicSub(unsigned* p, unsigned v) { return atomicAdd(p, 0u - v); }
__forceinline__ unsigned atomicInc(unsigned* p, unsigned limit) {
  return bench_sim::atomic_update(p, [limit](unsigned x) { return x >= limit ? 0 : x + 1; });
}
__forceinline__ unsigned atomicDec(unsigned* p, unsigned limit) {
  return bench_sim::atomic_update(p, [limit](unsigned x) { return x == 0 || x > limit ? limit : x - 1; });
}
__forceinline__ float atomicAdd(float* p, float v) { return bench_sim::atomic_update(p, [v](float x) { return x + v; }); }
__forceinline__ double atomicAdd(double* p, double v) { return bench_sim::atomic_update(p, [v](double x) { return x + v; }); }
__forceinline__ float atomicExch(float* p, float v) { return bench_sim::atomic_update(p, [v](float) { return v; }); }
__forceinline__ unsigned short atomicCAS(unsigned short* p, unsigned short expected, unsigned short v) {
  unsigned short old = __sync_val_compare_and_swap(p, expected, v);
  bench_sim::tick();
  return bench_sim::former(old, p);
}

// Of vectors each part is added atomically.
__forceinline__ float2 atomicAdd(float2* p, float2 v) { return {atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y)}; }
__forceinline__ float4 atomicAdd(float4* p, float4 v) { return {atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y), atomicAdd(&p->z, v.z), atomicAdd(&p->w, v.w)}; }

// Narrower and wider scopes than the device.
#define BENCH_SIM_SCOPES(name)                                                                                    \
  template <class T, class... V> __forceinline__ T name##_block(T* p, V... v) { return name(p, static_cast<T>(v)...); }    \
  template <class T, class... V> __forceinline__ T name##_system(T* p, V... v) { return name(p, static_cast<T>(v)...); }
BENCH_SIM_SCOPES(atomicAdd) BENCH_SIM_SCOPES(atomicSub) BENCH_SIM_SCOPES(atomicExch) BENCH_SIM_SCOPES(atomicMin)
BENCH_SIM_SCOPES(atomicMax) BENCH_SIM_SCOPES(atomicInc) BENCH_SIM_SCOPES(atomicDec) BENCH_SIM_SCOPES(atomicCAS)
BENCH_SIM_SCOPES(atomicAnd) BENCH_SIM_SCOPES(atomicOr) BENCH_SIM_SCOPES(atomicXor)
#undef BENCH_SIM_SCOPES
