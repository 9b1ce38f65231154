// The simulator's runtime: blocks of fibers run by a pool of worker threads.
#pragma once
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "abi.h"

namespace bench_sim {

enum { WARP = 32, MAX_WARPS = 32, MAX_RESIDENTS = 4096 };  // residents: clusters of one worker

// What a thread waits for.
enum Wait : unsigned char { WAIT_NOTHING, WAIT_WARP, WAIT_BLOCK, WAIT_CLUSTER };

// One access to a word of shared memory, see races.cpp.
struct Access {
  unsigned epoch;  // barriers of the block before it; no access has 0
  unsigned clock;  // of its lane
  unsigned short thread;
  unsigned char mask;  // bytes of the word
  bool strong;         // volatile or atomic
  uintptr_t pc;
};

// What a word of four bytes remembers.
struct Shadow {
  Access write, read[2];
};

struct Block;
struct Cluster;
struct Warp;
struct Worker;

struct Thread : ThreadView {
  void* context;  // saved stack pointer
  Warp* warp;
  int line;  // of the operation that it waits in
  Wait wait;
};

// Thirty-two stacks with a guard page below each.
struct Stacks {
  char* base = nullptr;
  size_t stride = 0;  // guard page included
  bool prepare(size_t bytes);
  char* top(unsigned lane) const;
  ~Stacks();
};

struct Warp {
  Thread threads[WARP];
  Block* block;
  unsigned index;
  unsigned live;     // lanes that have not returned
  unsigned waiting;  // lanes in a warp operation
  // Bits of ready and yielded are positions in the running order, so that the
  // next thread is the lowest bit set.
  unsigned ready, yielded;
  const unsigned char* order;  // position -> lane
  const unsigned char* place;  // lane -> position
  // The warp operation each lane waits in.
  Word in[WARP], out[WARP];
  unsigned mask[WARP];
  unsigned char source[WARP], kind[WARP];
  Stacks stacks;
  unsigned clock[WARP][WARP];  // by lane, for races

  unsigned places(unsigned lanes) const;
  void begin_clocks();
  void join_clocks(unsigned lanes);
};

struct Block : BlockView {
  Warp* warps[MAX_WARPS] = {};
  unsigned warp_count;
  Cluster* cluster;
  Warp* running;
  unsigned ready;  // warps with ready threads, as positions
  const unsigned char* order;
  const unsigned char* place;
  uint64_t random;
  unsigned live, yielded;
  unsigned arrived, predicates;  // of the barrier being collected
  int barrier_line, barrier_kind;
  int barrier_result;
  unsigned cluster_arrived;
  char* statics = nullptr;  // the block's __shared__ variables while another block of the worker runs
  char* dynamic_map = nullptr;
  size_t statics_bytes = 0, dynamic_bytes = 0;
  Shadow* shadow = nullptr;  // of every word of shared memory, while races are looked for
  size_t shadow_words = 0;
  unsigned epoch = 0;

  uint64_t next_random();
  void begin(const uint3& at, unsigned rank);
  Thread* pick();
  void ready_warp(Warp* w);
  void reorder(Warp* w);
  void release_barrier(Thread* self);
  void thread_done(Thread* t);
  void resume_yielded();
  bool prepare_shadow(size_t words);
};

struct Cluster {
  Block* blocks[16] = {};
  unsigned size;
  unsigned live_blocks;
  unsigned arrived;
  unsigned live_threads() const;
  void release(Thread* self);
};

enum Fault { FAULT_MEMORY = 1, FAULT_RACE = 2 };

// One launch, as package sim lays it out.
struct Launch {
  void (*call)(void**);
  void** args;
  char* (*statics)();      // makes the calling thread its __shared__ variables and gives one's address; null if there are none
  uint64_t statics_offset; // of that variable among them
  const void* inside;      // an address in the kernel library
  char* message;           // out: what went wrong
  uint64_t message_bytes;
  uint64_t shared_bytes;
  uint64_t stack_bytes;
  uint64_t seed;
  uint64_t fault_address;  // out, with fault
  uint64_t fault_pc, other_pc;  // out: offsets in the kernel library, 0 if elsewhere
  uint32_t grid[3], block[3], cluster[3];
  uint32_t workers;
  uint32_t resident;       // most blocks under way at once
  uint32_t races;          // look for races
  uint32_t fault;          // out: FAULT_MEMORY or FAULT_RACE
  uint32_t fault_block[3], fault_thread[3], other_thread[3];
  uint32_t writes;         // out, of a race: bit 0 for the thread, bit 1 for the other
};

struct Job {
  Launch* launch;
  uintptr_t code_low, code_high;  // the kernel library's addresses
  uintptr_t base;  // what its addresses are counted from
  uint64_t clusters;
  uint64_t next;    // cluster to start
  uint64_t statics_bytes;
  int stop;         // an error was reported
  int spinning;     // a thread had to be interrupted
  unsigned running; // workers not done
};

struct Worker {
  pthread_t thread;
  unsigned index;
  void* context;  // of the worker's own loop
  Job* job;
  Block* live;    // block whose __shared__ variables are in place
  Block* block;   // block that runs, or null
  char* statics;  // the worker's copy of the kernel library's __shared__ variables
  int slice;      // counts changes of the running thread that give others a chance
  int preempt;    // asks the running block to let others run
  int interrupting;  // an interrupt is under way: real-time signals queue, and would nest
  bool interrupted;  // the running block was, since it last got its turn
  Cluster* spare[MAX_RESIDENTS];
  unsigned spares;
  Cluster* residents[MAX_RESIDENTS];
  unsigned resident_count;
};

extern __thread Worker* worker __attribute__((tls_model("initial-exec")));

// Leaves the running thread for the next ready one of its block, or for the
// worker's loop.
void leave(Thread* from);
// Ends the launch with a message about the running thread; printf-like.
void fail(const char* format, ...) __attribute__((noreturn, format(printf, 1, 2)));
void report(Job* job, const char* format, ...) __attribute__((format(printf, 2, 3)));
void report_deadlock(Job* job, Block* b);
void report_race(Thread* t, const Access& now, bool writes, const Access& other, bool other_writes) __attribute__((noreturn));
// Gives the running thread up, after an error, for its worker's loop.
void abandon() __attribute__((noreturn));
// Records where the running thread failed, if no other error came first.
bool record_fault(Fault kind, uintptr_t address, uintptr_t pc);
void choose_order(unsigned random, const unsigned char** order, const unsigned char** place);
void install_handlers();
void restore_handlers();
void prepare_signals();  // of a worker thread
int preempt_signal();
inline size_t page_bytes() {
  static const size_t bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}
inline Thread* current() { return static_cast<Thread*>(bench_sim_current); }

}  // namespace bench_sim

// Runs one launch to its end; not zero when it failed, with a message.
extern "C" __attribute__((visibility("default"))) int bench_sim_launch(bench_sim::Launch* l);
