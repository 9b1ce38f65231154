// cuda::atomic and cuda::atomic_ref, of libcu++, and atomic of namespace cuda::std.
#pragma once
namespace std {
enum memory_order { memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst };
}

namespace cuda {
namespace std = ::std;
using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

template <class T, thread_scope scope = thread_scope_system>
struct atomic_ref {
  T* at;
  explicit atomic_ref(T& x) : at(&x) {}
  __forceinline__ T load(memory_order order = memory_order_seq_cst) const {
    typedef typename bench_sim::Bits<sizeof(T)>::type B;
    const T x = bench_sim::bits<T>(__atomic_load_n(reinterpret_cast<const B*>(at), __ATOMIC_RELAXED));
    after(order);
    return x;
  }
  __forceinline__ void store(T x, memory_order order = memory_order_seq_cst) const {
    typedef typename bench_sim::Bits<sizeof(T)>::type B;
    before(order);
    __atomic_store_n(reinterpret_cast<B*>(at), bench_sim::bits<B>(x), __ATOMIC_RELAXED);
    bench_sim::tick();
  }
  __forceinline__ operator T() const { return load(); }
  __forceinline__ T operator=(T x) const { store(x); return x; }
  __forceinline__ T exchange(T x, memory_order order = memory_order_seq_cst) const { return update([x](T) { return x; }, order); }
  __forceinline__ bool compare_exchange_strong(T& expected, T x, memory_order order = memory_order_seq_cst, memory_order = memory_order_seq_cst) const {
    const T want = expected, found = update([want, x](T old) { return old == want ? x : old; }, order);
    expected = found;
    return found == want;
  }
  __forceinline__ bool compare_exchange_weak(T& expected, T x, memory_order order = memory_order_seq_cst, memory_order = memory_order_seq_cst) const { return compare_exchange_strong(expected, x, order); }
  __forceinline__ T fetch_add(T v, memory_order order = memory_order_seq_cst) const { return update([v](T x) { return static_cast<T>(x + v); }, order); }
  __forceinline__ T fetch_sub(T v, memory_order order = memory_order_seq_cst) const { return update([v](T x) { return static_cast<T>(x - v); }, order); }
  __forceinline__ T fetch_min(T v, memory_order order = memory_order_seq_cst) const { return update([v](T x) { return v < x ? v : x; }, order); }
  __forceinline__ T fetch_max(T v, memory_order order = memory_order_seq_cst) const { return update([v](T x) { return x < v ? v : x; }, order); }
  __forceinline__ T fetch_and(T v, memory_order order = memory_order_seq_cst) const { return update([v](T x) { return static_cast<T>(x & v); }, order); }
  __forceinline__ T fetch_or(T v, memory_order order = memory_order_seq_cst) const { return update([v](T x) { return static_cast<T>(x | v); }, order); }
  __forceinline__ T fetch_xor(T v, memory_order order = memory_order_seq_cst) const { return update([v](T x) { return static_cast<T>(x ^ v); }, order); }
  __forceinline__ T operator++() const { return static_cast<T>(fetch_add(1) + 1); }
  __forceinline__ T operator++(int) const { return fetch_add(1); }
  __forceinline__ T operator--() const { return static_cast<T>(fetch_sub(1) - 1); }
  __forceinline__ T operator--(int) const { return fetch_sub(1); }
  __forceinline__ T operator+=(T v) const { return static_cast<T>(fetch_add(v) + v); }
  __forceinline__ T operator-=(T v) const { return static_cast<T>(fetch_sub(v) - v); }

 private:
  static __forceinline__ void fence() { scope == thread_scope_block ? __threadfence_block() : __threadfence(); }
  static __forceinline__ void before(memory_order order) {
    if (order >= memory_order_release) fence();
  }
  static __forceinline__ void after(memory_order order) {
    if (order == memory_order_acquire || order >= memory_order_acq_rel) fence();
  }
  template <class Update> __forceinline__ T update(Update change, memory_order order) const {
    before(order);
    const T former = bench_sim::atomic_update(at, change);
    after(order);
    return former;
  }
};

template <class T, thread_scope scope = thread_scope_system>
struct atomic {
  T value;
  atomic() = default;
  constexpr atomic(T x) : value(x) {}
  atomic(const atomic&) = delete;
#define BENCH_SIM_MEMBER(name) \
  template <class... A> __forceinline__ auto name(A&&... a) { return atomic_ref<T, scope>(value).name(static_cast<A&&>(a)...); }
  BENCH_SIM_MEMBER(load) BENCH_SIM_MEMBER(store) BENCH_SIM_MEMBER(exchange) BENCH_SIM_MEMBER(compare_exchange_strong) BENCH_SIM_MEMBER(compare_exchange_weak)
  BENCH_SIM_MEMBER(fetch_add) BENCH_SIM_MEMBER(fetch_sub) BENCH_SIM_MEMBER(fetch_min) BENCH_SIM_MEMBER(fetch_max)
  BENCH_SIM_MEMBER(fetch_and) BENCH_SIM_MEMBER(fetch_or) BENCH_SIM_MEMBER(fetch_xor)
#undef BENCH_SIM_MEMBER
  __forceinline__ operator T() { return load(); }
  __forceinline__ T operator=(T x) { store(x); return x; }
  __forceinline__ T operator++() { return static_cast<T>(fetch_add(1) + 1); }
  __forceinline__ T operator++(int) { return fetch_add(1); }
  __forceinline__ T operator+=(T v) { return static_cast<T>(fetch_add(v) + v); }
};
}  // namespace cuda

namespace std {
template <class T> using atomic = cuda::atomic<T>;
template <class T> using atomic_ref = cuda::atomic_ref<T>;
}
