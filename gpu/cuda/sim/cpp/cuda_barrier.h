// cuda::barrier, of libcu++, for all threads of a block.
#pragma once
#include <cuda_atomic.h>

namespace cuda {
template <thread_scope scope = thread_scope_system>
struct barrier {
  typedef int arrival_token;
  unsigned expected;
  barrier() = default;
  // Where a thread waits, it meets all: what it did before it arrived, and what it does between the two, comes before what
  // others do after they waited.
  arrival_token arrive() { return 0; }
  void wait(arrival_token, bench_sim::Place at = bench_sim::here()) {
    if (expected != blockDim.x * blockDim.y * blockDim.z) bench_sim_fail("a cuda::barrier of some threads of a block: the simulator has those of all", at);
    __syncthreads(at);
  }
  void arrive_and_wait(bench_sim::Place at = bench_sim::here()) { wait(arrive(), at); }
  friend void init(barrier* b, int threads) { b->expected = static_cast<unsigned>(threads); }
};
template <size_t alignment>
struct aligned_size_t {
  static constexpr size_t align = alignment;
  size_t value;
  explicit constexpr aligned_size_t(size_t n) : value(n) {}
  constexpr operator size_t() const { return value; }
};
template <class T, class Size, thread_scope scope>
inline void memcpy_async(T* to, const T* from, Size bytes, barrier<scope>&) { memcpy(to, from, static_cast<size_t>(bytes)); }
template <class Group, class T, class Size, thread_scope scope>
inline void memcpy_async(const Group& g, T* to, const T* from, Size bytes, barrier<scope>&) {
  for (size_t i = g.thread_rank(); i < static_cast<size_t>(bytes) / sizeof(T); i += g.size()) to[i] = from[i];
}
}  // namespace cuda
