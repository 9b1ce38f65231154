// cuda::pipeline, of libcu++, of one thread or a group: its copies are done at once.
#pragma once
#include <cuda_barrier.h>

namespace cuda {
template <thread_scope scope, unsigned char stages> struct pipeline_shared_state {};
enum class pipeline_role { producer, consumer };
template <thread_scope scope = thread_scope_thread>
struct pipeline {
  bool whole = false;  // of a block
  void producer_acquire() {}
  void producer_commit() {}
  // What others copied is there behind a barrier.
  void consumer_wait(bench_sim::Place at = bench_sim::here()) const {
    if (whole) __syncthreads(at);
  }
  void consumer_release() {}
  bool quit() { return true; }
};
inline pipeline<thread_scope_thread> make_pipeline() { return {}; }
template <class Group, thread_scope scope, unsigned char stages>
inline pipeline<scope> make_pipeline(const Group& g, pipeline_shared_state<scope, stages>*) {
  pipeline<scope> p;
  p.whole = g.size() > 1;
  return p;
}
template <unsigned char prior, thread_scope scope>
inline void pipeline_consumer_wait_prior(pipeline<scope>& p, bench_sim::Place at = bench_sim::here()) { p.consumer_wait(at); }
template <class T, class Size, thread_scope scope>
inline void memcpy_async(T* to, const T* from, Size bytes, pipeline<scope>&) { memcpy(to, from, static_cast<size_t>(bytes)); }
template <class Group, class T, class Size, thread_scope scope>
inline void memcpy_async(const Group& g, T* to, const T* from, Size bytes, pipeline<scope>&) {
  for (size_t i = g.thread_rank(); i < static_cast<size_t>(bytes) / sizeof(T); i += g.size()) to[i] = from[i];
}
}  // namespace cuda
