// Operations of a warp, a block and a cluster. The call names its
// place in messages.
#pragma once

inline void __syncthreads(bench_sim::Place at = bench_sim::here()) { bench_sim_barrier(bench_sim::BARRIER_PLAIN, 0, at); }
inline int __syncthreads_count(int predicate, bench_sim::Place at = bench_sim::here()) { return bench_sim_barrier(bench_sim::BARRIER_COUNT, predicate, at); }
inline int __syncthreads_and(int predicate, bench_sim::Place at = bench_sim::here()) { return bench_sim_barrier(bench_sim::BARRIER_AND, predicate, at); }
inline int __syncthreads_or(int predicate, bench_sim::Place at = bench_sim::here()) { return bench_sim_barrier(bench_sim::BARRIER_OR, predicate, at); }

inline void __syncwarp(unsigned mask = 0xffffffffu, bench_sim::Place at = bench_sim::here()) { bench_sim_meet(bench_sim::MEET_SYNC, mask, 0, 0, at); }

// The lanes that come to the call together, see Warp::converge.
inline unsigned __activemask(bench_sim::Place at = bench_sim::here()) { return bench_sim_active(at); }

inline unsigned __ballot_sync(unsigned mask, int predicate, bench_sim::Place at = bench_sim::here()) {
  return static_cast<unsigned>(bench_sim_meet(bench_sim::MEET_BALLOT, mask, predicate != 0, 0, at));
}
inline int __any_sync(unsigned mask, int predicate, bench_sim::Place at = bench_sim::here()) { return __ballot_sync(mask, predicate, at) != 0; }
inline int __all_sync(unsigned mask, int predicate, bench_sim::Place at = bench_sim::here()) { return __ballot_sync(mask, !predicate, at) == 0; }
inline int __uni_sync(unsigned mask, int predicate, bench_sim::Place at = bench_sim::here()) {
  return bench_sim_meet(bench_sim::MEET_MATCH_ALL, mask, predicate != 0, 0, at) != 0;
}

template <class T>
inline unsigned __match_any_sync(unsigned mask, T value, bench_sim::Place at = bench_sim::here()) {
  return static_cast<unsigned>(bench_sim_meet(bench_sim::MEET_MATCH_ANY, mask, bench_sim::bits<bench_sim::Word>(value), 0, at));
}
template <class T>
inline unsigned __match_all_sync(unsigned mask, T value, int* predicate, bench_sim::Place at = bench_sim::here()) {
  unsigned all = static_cast<unsigned>(bench_sim_meet(bench_sim::MEET_MATCH_ALL, mask, bench_sim::bits<bench_sim::Word>(value), 0, at));
  *predicate = all != 0;
  return all;
}

namespace bench_sim {
template <class T>
inline T shuffle(unsigned mask, T value, unsigned source, Place at) {
  if constexpr (sizeof(T) > sizeof(Word)) {  // a group's, which takes any type
    unsigned words[(sizeof(T) + 3) / 4] = {};
    __builtin_memcpy(words, &value, sizeof value);
    for (unsigned& w : words) w = shuffle(mask, w, source, at);
    __builtin_memcpy(&value, words, sizeof value);
    return value;
  } else
  return narrow<T>(bench_sim_meet(MEET_SHUFFLE, mask, bits<Word>(value), source, at));
}
inline void check_width(int width, Place at) {
  if (width < 1 || width > 32 || (width & (width - 1))) bench_sim_fail("the width of a shuffle must be a power of two up to 32", at);
}
}  // namespace bench_sim

// A source outside the segment of width lanes leaves the caller its own value
// (CUDA C++ Programming Guide, warp shuffle functions).
template <class T>
inline T __shfl_sync(unsigned mask, T value, int source, int width = 32, bench_sim::Place at = bench_sim::here()) {
  bench_sim::check_width(width, at);
  unsigned lane = bench_sim::quiet(bench_sim_current->lane), segment = static_cast<unsigned>(width);
  return bench_sim::shuffle(mask, value, (lane & ~(segment - 1)) | (static_cast<unsigned>(source) & (segment - 1)), at);
}
template <class T>
inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, bench_sim::Place at = bench_sim::here()) {
  bench_sim::check_width(width, at);
  unsigned lane = bench_sim::quiet(bench_sim_current->lane), in_segment = lane & (static_cast<unsigned>(width) - 1);
  return bench_sim::shuffle(mask, value, delta > in_segment ? lane : lane - delta, at);
}
template <class T>
inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, bench_sim::Place at = bench_sim::here()) {
  bench_sim::check_width(width, at);
  unsigned lane = bench_sim::quiet(bench_sim_current->lane), in_segment = lane & (static_cast<unsigned>(width) - 1);
  return bench_sim::shuffle(mask, value, delta >= static_cast<unsigned>(width) - in_segment ? lane : lane + delta, at);
}
template <class T>
inline T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32, bench_sim::Place at = bench_sim::here()) {
  bench_sim::check_width(width, at);
  // A source in a later segment counts as outside, one in an earlier does not.
  unsigned lane = bench_sim::quiet(bench_sim_current->lane), source = lane ^ static_cast<unsigned>(lanes);
  unsigned end = (lane & ~(static_cast<unsigned>(width) - 1)) + static_cast<unsigned>(width);
  return bench_sim::shuffle(mask, value, source < end ? source : lane, at);
}

inline unsigned __reduce_add_sync(unsigned mask, unsigned v, bench_sim::Place at = bench_sim::here()) { return static_cast<unsigned>(bench_sim_meet(bench_sim::MEET_ADD, mask, v, 0, at)); }
inline int __reduce_add_sync(unsigned mask, int v, bench_sim::Place at = bench_sim::here()) { return static_cast<int>(bench_sim_meet(bench_sim::MEET_ADD, mask, static_cast<bench_sim::Word>(v), 0, at)); }
inline unsigned __reduce_min_sync(unsigned mask, unsigned v, bench_sim::Place at = bench_sim::here()) { return static_cast<unsigned>(bench_sim_meet(bench_sim::MEET_MIN, mask, v, 0, at)); }
inline int __reduce_min_sync(unsigned mask, int v, bench_sim::Place at = bench_sim::here()) { return static_cast<int>(bench_sim_meet(bench_sim::MEET_MIN_SIGNED, mask, static_cast<bench_sim::Word>(v), 0, at)); }
inline unsigned __reduce_max_sync(unsigned mask, unsigned v, bench_sim::Place at = bench_sim::here()) { return static_cast<unsigned>(bench_sim_meet(bench_sim::MEET_MAX, mask, v, 0, at)); }
inline int __reduce_max_sync(unsigned mask, int v, bench_sim::Place at = bench_sim::here()) { return static_cast<int>(bench_sim_meet(bench_sim::MEET_MAX_SIGNED, mask, static_cast<bench_sim::Word>(v), 0, at)); }
inline unsigned __reduce_and_sync(unsigned mask, unsigned v, bench_sim::Place at = bench_sim::here()) { return static_cast<unsigned>(bench_sim_meet(bench_sim::MEET_AND, mask, v, 0, at)); }
inline unsigned __reduce_or_sync(unsigned mask, unsigned v, bench_sim::Place at = bench_sim::here()) { return static_cast<unsigned>(bench_sim_meet(bench_sim::MEET_OR, mask, v, 0, at)); }
inline unsigned __reduce_xor_sync(unsigned mask, unsigned v, bench_sim::Place at = bench_sim::here()) { return static_cast<unsigned>(bench_sim_meet(bench_sim::MEET_XOR, mask, v, 0, at)); }

// Thread-block clusters and distributed shared memory: a kernel uses these
// where it uses PTX's barrier.cluster and mapa on a GPU.
inline unsigned bench_cluster_rank() { return bench_sim::quiet(bench_sim::block()->cluster_rank); }
inline unsigned bench_cluster_size() { return bench_sim::quiet(bench_sim::block()->cluster_size); }
// A store to a block of the cluster, the caller's included, that is ordered by the
// signal of its arrival (PTX's st.async): races with it are not looked for.
template <class T>
__attribute__((noinline, no_sanitize("thread"))) void bench_cluster_store(T* to, T value) {
  bench_sim_sent(to, sizeof value);
  *to = value;
}
inline void bench_cluster_sync(bench_sim::Place at = bench_sim::here()) { bench_sim_cluster_barrier(at); }
template <class T>
inline T* bench_cluster_map(T* shared, unsigned rank, bench_sim::Place at = bench_sim::here()) {
  return static_cast<T*>(bench_sim_cluster_map(const_cast<void*>(static_cast<const volatile void*>(shared)), rank, at));
}
