// What kernels and the simulator's runtime share: the state of a thread that
// a kernel reads, and the entry points that it calls.
#pragma once

struct __attribute__((aligned(4))) uint3 { unsigned x, y, z; };

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};

namespace bench_sim {

typedef unsigned long long Word;

struct BlockView {
  uint3 index;
  dim3 dim;
  dim3 grid;
  void* dynamic;  // dynamic shared memory
  unsigned cluster_rank;
  unsigned cluster_size;
};

struct ThreadView {
  uint3 index;
  unsigned lane;
  const BlockView* block;
  int budget;  // atomics and fences left before the thread gives way to others
};

// A place in a kernel's source.
struct Place { const char* file; int line; };
inline constexpr Place here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) { return Place{file, line}; }

// The operations in which lanes of a warp meet.
enum Meeting { MEET_SYNC, MEET_SHUFFLE, MEET_BALLOT, MEET_MATCH_ANY, MEET_MATCH_ALL, MEET_ADD, MEET_MIN, MEET_MAX,
               MEET_MIN_SIGNED, MEET_MAX_SIGNED, MEET_AND, MEET_OR, MEET_XOR };

// What a pointer may point to.
enum Space { SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL };

// The block-wide barriers.
enum Barrier { BARRIER_PLAIN, BARRIER_COUNT, BARRIER_AND, BARRIER_OR };

}  // namespace bench_sim

#pragma GCC visibility push(default)
extern "C" {
// The running thread. Every kernel library takes it from the runtime library. For a
// kernel it never changes.
#ifdef BENCH_SIM_RUNTIME
extern __thread bench_sim::ThreadView* bench_sim_current __attribute__((tls_model("initial-exec")));
#else
extern __thread bench_sim::ThreadView* const bench_sim_current __attribute__((tls_model("initial-exec")));
#endif

// Waits until every live lane of mask has come to the same operation.
bench_sim::Word bench_sim_meet(int kind, unsigned mask, bench_sim::Word value, unsigned source, bench_sim::Place at);
unsigned bench_sim_active(bench_sim::Place at);
int bench_sim_barrier(int kind, int predicate, bench_sim::Place at);
void bench_sim_grid_barrier(bench_sim::Place at);
void bench_sim_cluster_barrier(bench_sim::Place at);
void* bench_sim_cluster_map(void* shared, unsigned rank, bench_sim::Place at);
// Before use is made of the value that an atomic operation found at p; 0. A call whose result is not used is left out.
unsigned bench_sim_former(const void* p, unsigned long bytes) __attribute__((pure));
void bench_sim_strong_load(const void* from, unsigned long bytes);  // before one that is as volatile
void bench_sim_sent(void* to, unsigned long bytes);  // before a store to shared memory that races with nothing
void* bench_sim_dynamic_shared();
int bench_sim_space(const void* p);
unsigned long bench_sim_shared_offset(const void* p);
void* bench_sim_shared_place(unsigned long offset);  // its inverse
void bench_sim_yield();
void bench_sim_give_way(unsigned looks);  // after so many looks at what others may write
long long bench_sim_clock();
void bench_sim_fail(const char* what, bench_sim::Place at) __attribute__((noreturn));
}
#pragma GCC visibility pop
