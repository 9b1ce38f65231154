// Groups of threads: the grid, clusters, blocks and parts of a warp, and what they do together.
#pragma once

namespace cooperative_groups {

struct thread_block {
  static void sync(bench_sim::Place at = bench_sim::here()) { __syncthreads(at); }
  static unsigned thread_rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
  static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned size() { return num_threads(); }
  static dim3 group_index() { return blockIdx; }
  static dim3 thread_index() { return threadIdx; }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }
};
inline thread_block this_thread_block() { return {}; }
// Memory with which a block has tiles of several warps.
template <unsigned threads> struct block_tile_memory { unsigned long long words[threads]; };
template <unsigned threads> inline thread_block this_thread_block(block_tile_memory<threads>&) { return {}; }

// A part of a warp, of a power of two of lanes.
template <unsigned lanes, class Parent = thread_block>
struct thread_block_tile {
  static_assert(lanes >= 1 && lanes <= 32 && !(lanes & (lanes - 1)), "a tile has a power of two of lanes, up to 32");
  static unsigned lane() { return bench_sim::quiet(bench_sim_current->lane); }
  static unsigned mask() { return (lanes == 32 ? ~0u : (1u << (lanes & 31)) - 1) << (lane() & ~(lanes - 1)); }
  static unsigned thread_rank() { return lane() & (lanes - 1); }
  static constexpr unsigned num_threads() { return lanes; }
  static constexpr unsigned size() { return lanes; }
  static unsigned meta_group_rank() { return thread_block::thread_rank() / lanes; }
  static unsigned meta_group_size() { return (thread_block::num_threads() + lanes - 1) / lanes; }
  static void sync(bench_sim::Place at = bench_sim::here()) { __syncwarp(mask(), at); }
  template <class T> T shfl(T v, int from, bench_sim::Place at = bench_sim::here()) const { return __shfl_sync(mask(), v, from, lanes, at); }
  template <class T> T shfl_up(T v, unsigned by, bench_sim::Place at = bench_sim::here()) const { return __shfl_up_sync(mask(), v, by, lanes, at); }
  template <class T> T shfl_down(T v, unsigned by, bench_sim::Place at = bench_sim::here()) const { return __shfl_down_sync(mask(), v, by, lanes, at); }
  template <class T> T shfl_xor(T v, unsigned with, bench_sim::Place at = bench_sim::here()) const { return __shfl_xor_sync(mask(), v, static_cast<int>(with), lanes, at); }
  int any(int p, bench_sim::Place at = bench_sim::here()) const { return __any_sync(mask(), p, at); }
  int all(int p, bench_sim::Place at = bench_sim::here()) const { return __all_sync(mask(), p, at); }
  unsigned ballot(int p, bench_sim::Place at = bench_sim::here()) const { return __ballot_sync(mask(), p, at) >> (lane() & ~(lanes - 1)); }
};
// Several warps, which wait for each other where the whole block does.
template <unsigned threads>
struct warps_tile {
  static unsigned thread_rank() { return thread_block::thread_rank() % threads; }
  static constexpr unsigned num_threads() { return threads; }
  static constexpr unsigned size() { return threads; }
  static unsigned meta_group_rank() { return thread_block::thread_rank() / threads; }
  static unsigned meta_group_size() { return (thread_block::num_threads() + threads - 1) / threads; }
  static void sync(bench_sim::Place at = bench_sim::here()) { __syncthreads(at); }
};
template <class T, unsigned threads, class Combine>
inline T reduce(const warps_tile<threads>& tile, T v, Combine combine, bench_sim::Place at = bench_sim::here()) {
  __shared__ T values[1024];
  const unsigned first = tile.meta_group_rank() * threads;
  values[thread_block::thread_rank()] = v;
  __syncthreads(at);
  T all = values[first];
  for (unsigned i = 1; i < threads; i++) all = combine(all, values[first + i]);
  __syncthreads(at);
  return all;
}
template <unsigned lanes, class Parent>
inline auto tiled_partition(const Parent&) {
  if constexpr (lanes > 32) return warps_tile<lanes>();
  else return thread_block_tile<lanes, Parent>();
}

// Lanes of a warp, of any number.
struct coalesced_group {
  unsigned lanes;
  static unsigned lane() { return bench_sim::quiet(bench_sim_current->lane); }
  unsigned mask() const { return lanes; }
  unsigned size() const { return static_cast<unsigned>(__popc(lanes)); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const { return static_cast<unsigned>(__popc(lanes & ((1u << lane()) - 1))); }
  unsigned meta_group_rank() const { return 0; }
  unsigned meta_group_size() const { return 1; }
  // The lane that has a rank, which counts from 0; of one that there is none for, the caller's own.
  int lane_of(unsigned rank) const { return rank < size() ? static_cast<int>(__fns(lanes, 0, static_cast<int>(rank) + 1)) : static_cast<int>(lane()); }
  void sync(bench_sim::Place at = bench_sim::here()) const { __syncwarp(lanes, at); }
  template <class T> T shfl(T v, unsigned from, bench_sim::Place at = bench_sim::here()) const { return __shfl_sync(lanes, v, lane_of(from), 32, at); }
  template <class T> T shfl_up(T v, unsigned by, bench_sim::Place at = bench_sim::here()) const { return __shfl_sync(lanes, v, lane_of(by > thread_rank() ? 32 : thread_rank() - by), 32, at); }
  template <class T> T shfl_down(T v, unsigned by, bench_sim::Place at = bench_sim::here()) const { return __shfl_sync(lanes, v, lane_of(thread_rank() + by), 32, at); }
  int any(int p, bench_sim::Place at = bench_sim::here()) const { return __any_sync(lanes, p, at); }
  int all(int p, bench_sim::Place at = bench_sim::here()) const { return __all_sync(lanes, p, at); }
  // Bits are ranks.
  unsigned ballot(int p, bench_sim::Place at = bench_sim::here()) const {
    unsigned found = __ballot_sync(lanes, p, at), ranks = 0;
    for (unsigned i = 0; i < size(); i++) ranks |= (found >> lane_of(i) & 1) << i;
    return ranks;
  }
};
inline coalesced_group coalesced_threads(bench_sim::Place at = bench_sim::here()) { return {__activemask(at)}; }

// A block, or lanes of a warp.
struct thread_group {
  bool is_block;
  coalesced_group part;
  thread_group(const thread_block&) : is_block(true), part{0} {}
  thread_group(const coalesced_group& g) : is_block(false), part(g) {}
  template <unsigned lanes, class Parent> thread_group(const thread_block_tile<lanes, Parent>& g) : is_block(false), part{g.mask()} {}
  unsigned size() const { return is_block ? thread_block::size() : part.size(); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const { return is_block ? thread_block::thread_rank() : part.thread_rank(); }
  void sync(bench_sim::Place at = bench_sim::here()) const { is_block ? thread_block::sync(at) : part.sync(at); }
};
// Parts of a block, each of so many threads, and of another group by ranks.
inline thread_group tiled_partition(const thread_group& g, unsigned threads) {
  const unsigned first = g.thread_rank() / threads * threads;
  unsigned lanes = 0;
  for (unsigned i = 0; i < threads; i++) {
    if (g.is_block) lanes |= 1u << ((first + i) & 31);
    else if (first + i < g.size()) lanes |= 1u << g.part.lane_of(first + i);
  }
  return coalesced_group{lanes};
}
// Those that have one label, or one answer.
template <class Group, class Label>
inline coalesced_group labeled_partition(const Group& g, Label label, bench_sim::Place at = bench_sim::here()) { return {__match_any_sync(g.mask(), label, at)}; }
template <class Group>
inline coalesced_group binary_partition(const Group& g, bool answer, bench_sim::Place at = bench_sim::here()) {
  const unsigned yes = __ballot_sync(g.mask(), answer, at);
  return {answer ? yes : g.mask() & ~yes};
}

struct cluster_group {
  static void sync(bench_sim::Place at = bench_sim::here()) { bench_cluster_sync(at); }
  static unsigned block_rank() { return bench_cluster_rank(); }
  static unsigned num_blocks() { return bench_cluster_size(); }
  static unsigned thread_rank() { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
  static unsigned num_threads() { return num_blocks() * thread_block::size(); }
  static unsigned size() { return num_threads(); }
  template <class T> static T* map_shared_rank(T* shared, unsigned rank, bench_sim::Place at = bench_sim::here()) { return bench_cluster_map(shared, rank, at); }
};
inline cluster_group this_cluster() { return {}; }

struct grid_group {
  static void sync(bench_sim::Place at = bench_sim::here()) { bench_sim_grid_barrier(at); }
  static bool is_valid() { return true; }
  static unsigned long long num_blocks() { return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z; }
  static unsigned long long block_rank() { return blockIdx.x + static_cast<unsigned long long>(gridDim.x) * (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z); }
  static unsigned long long thread_rank() { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
  static unsigned long long num_threads() { return num_blocks() * thread_block::size(); }
  static unsigned long long size() { return num_threads(); }
  static dim3 group_dim() { return gridDim; }
  static dim3 dim_blocks() { return gridDim; }
  static dim3 block_index() { return blockIdx; }
};
inline grid_group this_grid() { return {}; }

template <class Group>
inline void sync(const Group& g, bench_sim::Place at = bench_sim::here()) { g.sync(at); }

#define BENCH_SIM_COMBINE(name, value) template <class T = void> struct name { T operator()(T a, T b) const { return value; } };
BENCH_SIM_COMBINE(plus, a + b) BENCH_SIM_COMBINE(less, b < a ? b : a) BENCH_SIM_COMBINE(greater, a < b ? b : a)
BENCH_SIM_COMBINE(bit_and, a & b) BENCH_SIM_COMBINE(bit_or, a | b) BENCH_SIM_COMBINE(bit_xor, a ^ b)
#undef BENCH_SIM_COMBINE

// The combined value of a group's lanes, in each of them.
template <unsigned lanes, class Parent, class T, class Combine>
inline T reduce(const thread_block_tile<lanes, Parent>& tile, T v, Combine combine, bench_sim::Place at = bench_sim::here()) {
  for (unsigned by = lanes / 2; by > 0; by /= 2) v = combine(v, tile.shfl_xor(v, by, at));
  return v;
}
template <class T, class Combine>
inline T reduce(const coalesced_group& g, T v, Combine combine, bench_sim::Place at = bench_sim::here()) {
  T all = g.shfl(v, 0, at);
  for (unsigned i = 1; i < g.size(); i++) all = combine(all, g.shfl(v, i, at));
  return all;
}

// What the lanes up to the own one combine to, and those before it.
template <class Group, class T, class Combine>
inline T inclusive_scan(const Group& g, T v, Combine combine, bench_sim::Place at = bench_sim::here()) {
  for (unsigned by = 1; by < g.size(); by *= 2) {
    const T before = g.shfl_up(v, by, at);
    if (g.thread_rank() >= by) v = combine(before, v);
  }
  return v;
}
template <class Group, class T>
inline T inclusive_scan(const Group& g, T v, bench_sim::Place at = bench_sim::here()) { return inclusive_scan(g, v, plus<T>(), at); }
template <class Group, class T, class Combine>
inline T exclusive_scan(const Group& g, T v, Combine combine, bench_sim::Place at = bench_sim::here()) {
  const T before = g.shfl_up(inclusive_scan(g, v, combine, at), 1, at);
  return g.thread_rank() ? before : T();
}
template <class Group, class T>
inline T exclusive_scan(const Group& g, T v, bench_sim::Place at = bench_sim::here()) { return exclusive_scan(g, v, plus<T>(), at); }

// A copy by all threads of a group, which is done at once.
template <class Group, class T>
inline void memcpy_async(const Group& g, T* to, const T* from, size_t bytes) {
  for (size_t i = g.thread_rank(); i < bytes / sizeof(T); i += g.size()) to[i] = from[i];
}
template <class Group, class T>
inline void memcpy_async(const Group& g, T* to, size_t room, const T* from, size_t elements) {
  for (size_t i = g.thread_rank(); i < elements && i < room; i += g.size()) to[i] = from[i];
}
template <class Group>
inline void wait(const Group& g, bench_sim::Place at = bench_sim::here()) { g.sync(at); }
template <unsigned stages, class Group>
inline void wait_prior(const Group& g, bench_sim::Place at = bench_sim::here()) { g.sync(at); }

}  // namespace cooperative_groups
