// Groups of threads: of cooperative_groups.h what a block and parts of a warp have.
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
template <unsigned lanes, class Parent>
inline thread_block_tile<lanes, Parent> tiled_partition(const Parent&) { return {}; }
template <class Group>
inline void sync(const Group& g, bench_sim::Place at = bench_sim::here()) { g.sync(at); }

template <class T> struct plus { T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { T operator()(T a, T b) const { return a < b ? b : a; } };

// The combined value of a tile's lanes, in each of them.
template <unsigned lanes, class Parent, class T, class Combine>
inline T reduce(const thread_block_tile<lanes, Parent>& tile, T v, Combine combine, bench_sim::Place at = bench_sim::here()) {
  for (unsigned by = lanes / 2; by > 0; by /= 2) v = combine(v, tile.shfl_xor(v, by, at));
  return v;
}

}  // namespace cooperative_groups
