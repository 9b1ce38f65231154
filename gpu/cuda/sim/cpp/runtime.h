// The simulator's runtime: blocks of fibers run by a pool of worker threads.
#pragma once
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#define BENCH_SIM_RUNTIME
#include "abi.h"

namespace bench_sim {

enum { WARP = 32, MAX_WARPS = 32, MAX_RESIDENTS = 4096 };  // residents: clusters of one worker

// What a thread waits for.
enum Wait : unsigned char { WAIT_NOTHING, WAIT_WARP, WAIT_BLOCK, WAIT_CLUSTER, WAIT_CONVERGE };

// What a byte of memory is, for checks.cpp.
enum State : unsigned char { OUTSIDE, UNWRITTEN, WRITTEN, CONSTANT, SET, LEFT };

// One access to a word of shared memory, see checks.cpp. No access has the time 0.
struct Access {
  uint64_t bits;  // pc, as a Touch's: 21 bits; strong, volatile or atomic: 1; thread: 10; mask, bytes of the word: 4; wrote, see Readers: 1; time: 27
  static constexpr uint64_t PC = (1u << 21) - 1, STRONG = 1u << 21, MASK = uint64_t(0xf) << 32, WROTE = uint64_t(1) << 36;
  enum { THREAD_BIT = 22, WARP_BIT = THREAD_BIT + 5, TIME_BIT = 37 };
  uint64_t pc() const { return bits & PC; }
  unsigned thread() const { return bits >> THREAD_BIT & 1023; }
  unsigned mask() const { return bits >> 32 & 0xf; }
  unsigned time() const { return static_cast<unsigned>(bits >> TIME_BIT); }
  bool until(unsigned t) const { return bits < uint64_t(t + 1) << TIME_BIT; }
  bool same_thread(const Access& a) const { return !((bits ^ a.bits) >> THREAD_BIT & 1023); }
  bool same_warp(const Access& a) const { return !((bits ^ a.bits) >> WARP_BIT & 31); }
};

// The reads of a word of shared memory that a later write may race with. Those that wrote are of
// writes of the value that the last write has written too.
struct Readers {
  Access last, other;
};

// One access to a word of global memory. No access has the time 0. Workers read and write it whole: processors with AVX, and
// those of arm64 with LSE2, do so with 16 bytes that are aligned.
struct alignas(16) Touch {
  uint64_t low;   // time, strong operations of all threads before it: 39 bits; wrote, as an Access's: 1; block: 20; mask, bytes of the word: 4
  uint64_t high;  // pc, offset in the kernel library, 0 where it is larger: 21 bits; strong: 1; thread: 10; epoch, barriers of the block before it: 16; phase, operations of the warp: 16
  static constexpr uint64_t WROTE = uint64_t(1) << 39, STRONG = 1u << 21;  // of low, and of high
  uint64_t time() const { return low & (WROTE - 1); }
  bool wrote() const { return low & WROTE; }
  unsigned block() const { return low >> 40 & ((1u << 20) - 1); }
  unsigned mask() const { return static_cast<unsigned>(low >> 60); }
  unsigned pc() const { return high & ((1u << 21) - 1); }
  bool strong() const { return high & STRONG; }
  unsigned thread() const { return high >> 22 & 1023; }
  unsigned epoch() const { return high >> 32 & 0xffff; }
  unsigned phase() const { return static_cast<unsigned>(high >> 48); }
  typedef uint64_t Whole __attribute__((vector_size(16)));
  static Touch load(const Touch& from) {
    const Whole v = *reinterpret_cast<const volatile Whole*>(&from);
    return {v[0], v[1]};
  }
  static void store(Touch& to, const Touch& v) { *reinterpret_cast<volatile Whole*>(&to) = Whole{v.low, v.high}; }
};

// Two accesses to one word in no order, the latter by the running thread.
struct Race {
  uintptr_t pc;   // behind the latter
  unsigned kind;  // of it
  bool global, other_writes;
  union {
    Access access;  // the other, of shared memory
    Touch touch;    // or of global memory
  };
  bool other_strong() const { return global ? touch.strong() : access.bits & Access::STRONG; }
};

// Words that the last access of a thread should have left as they were, and what they held.
struct Same {
  enum { WORDS = 4 };
  unsigned words;
  uintptr_t address[WORDS];
  uint32_t value[WORDS];
  unsigned char mask[WORDS];  // of their bytes
};

// A thread whose plain read of a word races with another's swap, unless it compares what it read.
struct Accused {
  uintptr_t address;
  unsigned block, thread;
  char text[240];
};

// Memory that is watched, as package sim lays it out: an allocation or the variables
// of a module. Its states cover the pages that it lies in.
struct Region {
  uintptr_t low, high;
  unsigned char* states;  // of each byte, and of 16 more
  Touch *writes, *reads;  // the last of each word
  uint64_t wrote, was_read;  // latest times of these in the launch; 0 for none
  bool has(uintptr_t a) const { return a - low < high - low; }
};

struct Block;
struct Clock;
struct Cluster;
struct Signal;
struct Warp;
struct Worker;

// For whom a fence is.
enum Scope { DEVICE, BLOCK, SCOPES };

// What was heard by atomic and volatile accesses to global memory: when the last was, and what had been
// published by the words. See clock.h.
struct Heard {
  uint64_t time;
  Clock* clock;
};

// What the threads of a warp or a block heard and fenced: any of them, and, since their last operation or barrier
// together, all.
struct Together {
  Heard heard, known;
  Clock *fenced[SCOPES], *fences_known[SCOPES];  // what was known at their fences
  void begin();
  void spread();
};

struct Thread : ThreadView {
  void* context;  // saved stack pointer
  Warp* warp;
  Heard heard;
  Clock* pending;    // heard of since the last fence: counts from the next one on
  uintptr_t hears;   // word that its last access read, if that was strong: to be heard of
  unsigned hears_bytes;
  bool doubts;       // its last accesses left a race that may be none, see Doubt
  Clock* fenced[SCOPES];  // what was known at its last fences; null for none
  const Signal* told;    // by which it published last, and has nothing new to publish
  const Signal* learnt_from;  // from which it learnt last, and of which version
  unsigned learnt_version;
  void begin_order();
  bool interrupted;  // it had a turn, and went on for longer
  const volatile void* awaited;  // what it last read as volatile
  unsigned looks;    // how often, with no other such access between
  Place place;     // of the operation that it waits in
  Wait wait;
};

// A race that a thread left and that may be none, see race.h.
struct Doubt {
  Race race;
  Same same;       // has words if it is one of writes
  uintptr_t read;  // otherwise the word that is to be compared
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
  unsigned converging;  // lanes that ask which are active
  unsigned turns;       // since the first of them did, with others that had only given way
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
  // For races on shared memory: what each lane knows of the clocks of all, beside the
  // floor, up to which all lanes know all. No clock is above top, which fits a time.
  unsigned clock[WARP][WARP];
  unsigned floor, top, began;  // began: lanes that the warp began with
  unsigned phase;              // counts its operations
  Together lanes;
  Doubt doubts[WARP];          // of threads that have one

  unsigned places(unsigned lanes) const;
  unsigned now(unsigned lane) const { return clock[lane][lane] > floor ? clock[lane][lane] : floor + 1; }
  void join_clocks(unsigned lanes);
  void converge();
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
  unsigned held;  // looks for which its threads do not give way
  bool was_held;  // since it began
  unsigned arrived, predicates;  // of the barrier being collected
  Place barrier_place;
  int barrier_kind;
  int barrier_result;
  unsigned cluster_arrived;
  unsigned grid_epoch;  // at which a thread of it came to the grid's barrier for all
  char* statics = nullptr;  // the block's __shared__ variables while another block of the worker runs
  char* dynamic_map = nullptr;
  size_t statics_bytes = 0, dynamic_bytes = 0;
  // Of every word of shared memory, while races are looked for: its last write, and reads.
  Access* writes = nullptr;
  Readers* reads = nullptr;
  size_t shadow_words = 0;
  unsigned wrote = 0, was_read = 0;  // the last epochs with a write, and a read
  unsigned char* states = nullptr;  // of the same bytes
  unsigned epoch = 0;  // counts its barriers
  unsigned floor = 0;  // of the clocks of all warps at the last one
  unsigned number;  // in the grid
  Together threads = {};
  uint64_t since = 0;  // time of the launch's begin
  char pending[240];               // a read of what was not written, unless it proves to be a race

  uint64_t next_random();
  bool hold(unsigned looks, bool begins);  // of a thread of it that would give way: says whether it may not
  void asked(unsigned looks);  // by the watch: its thread gives way, unless it is held
  void begin(const uint3& at, unsigned rank);
  Thread* pick();
  void ready_warp(Warp* w);
  void reorder(Warp* w);
  void release_barrier(Thread* self);
  void thread_done(Thread* t);
  void resume_yielded();
  bool prepare_shadow(size_t statics, size_t dynamic);
  void free_shadow();
  void begin_shadow();
  void next_epoch(unsigned warps_that_ran);
  void forget_accesses();
};

struct Cluster {
  Block* blocks[16] = {};
  unsigned size;
  unsigned live_blocks;
  unsigned arrived;
  unsigned live_threads() const;
  void release(Thread* self);
};

// Offsets in the kernel library, the last not included.
struct Span {
  uint64_t low, high;
};

// One launch, as package sim lays it out. In its message, {pc N} is the place of the
// instruction at offset N of the kernel library, {at N} an address of the device, and
// {shared N} an offset among the __shared__ variables, all hexadecimal.
struct Launch {
  void (*call)(void**);
  void** args;
  char* (*statics)();      // makes the calling thread its __shared__ variables and gives one's address; null if there are none
  uint64_t statics_offset; // of that variable among them
  const void* inside;      // an address in the kernel library
  char* message;           // out: what went wrong
  uint64_t message_bytes;
  char* warning;           // out: what CUDA does not define, and GPUs do; as many bytes
  uint64_t shared_bytes;
  uint64_t stack_bytes;
  uint64_t seed;
  uint64_t limit_ns;       // most time for the launch; 0 for none
  Region* regions;         // by address, where accesses are checked
  const unsigned char* statics_states;  // of each byte of the __shared__ variables
  uint64_t region_count;
  uint32_t grid[3], block[3], cluster[3];
  uint32_t workers;
  uint32_t resident;       // most blocks under way at once
  uint32_t checks;         // the library announces its accesses
  uint32_t late;           // out: it took longer than the limit
  uint32_t cooperative;    // all blocks are resident at once
  uint32_t unused;
  const Span* benign;      // instructions whose races, and reads of what was never written, are no mistake
  uint64_t benign_count;
};

struct Job {
  Launch* launch;
  uintptr_t code_low, code_high;  // the kernel library's addresses
  uintptr_t base;  // what its addresses are counted from
  uint64_t clusters;
  uint64_t next;    // cluster to start
  uint64_t done;    // blocks
  uint64_t grid_arrived, grid_round;  // blocks at the grid's barrier, and how often all were
  uint64_t grid_time;  // of the last such
  uint64_t statics_bytes;
  int stop;         // an error was reported
  int waits;        // a thread had a volatile or atomic access, where accesses are checked
  int spinning;     // a thread had to be interrupted that may wait for another
  uint64_t time;    // of its begin, see Touch
  long long deadline;  // of the host's clock; 0 for none
  int late;            // it has passed
  int warned;          // there is a warning
  int has_pending;
  char pending[240];   // as a block's, of global memory
  enum { MOST_ACCUSED = 64 };
  Accused accused[MOST_ACCUSED];
  unsigned accused_count;
  unsigned running; // workers not done
};

// The parts of memory that a worker met last.
enum { PART_BITS = 16, SLOTS = 128 };
struct Slot {
  uintptr_t part;
  Region* region;  // the last met that lies in it; null if none does
};

struct Worker {
  pthread_t thread;
  unsigned index;
  void* context;  // of the worker's own loop
  Job* job;
  Block* live;    // block whose __shared__ variables are in place
  Block* block;   // block that runs, or null
  char* statics;  // the worker's copy of the kernel library's __shared__ variables
  uint64_t statics_bytes, shared_bytes;  // as the job's, and the launch's
  uint64_t statics_room;  // the former, and up to where the dynamic part begins in what is known of the bytes
  int slice;      // counts changes of the running thread that give others a chance
  int preempt;    // asks the running block to let others run
  int holds;      // its running block is held
  int busy;       // it is changing clocks or what all workers share, and must not be abandoned
  int interrupting;  // an interrupt is under way: real-time signals queue, and would nest
  int late_tries;  // interrupts since the launch is late
  bool interrupted;  // the running block was, since it last got its turn
  uint64_t looks, looks_held;  // of its threads in the launch, those that gave way and those of held blocks
  Slot slots[SLOTS];
  Cluster* spare[MAX_RESIDENTS];
  unsigned spares;
  Cluster* residents[MAX_RESIDENTS];
  unsigned resident_count;
};

extern __thread Worker* worker __attribute__((tls_model("initial-exec")));

// Leaves the running thread for the next ready one of its block, or for the
// worker's loop.
void leave(Thread* from);
// Leaves it to others after so many looks of a wait, unless its block is held; says whether the wait begins.
void give_way(Thread* t, unsigned looks, bool begins);
// Ends the launch with a message about the running thread; printf-like.
void fail(const char* format, ...) __attribute__((noreturn, format(printf, 1, 2)));
// The same, if nothing else ended it, whatever is pending.
void fail_first(const char* format, ...) __attribute__((noreturn, format(printf, 1, 2)));
// The same, of an instruction of a launch that takes too long.
void fail_late(uintptr_t pc) __attribute__((noreturn));
void report(Job* job, const char* format, ...) __attribute__((format(printf, 2, 3)));
void report_deadlock(Job* job, Block* b);
// Warns of a barrier that is passed without threads that have returned.
void warn_of_returned(Job* job, const Block* b);
int describe_thread(char* text, size_t bytes, const Thread* t);
// Gives the running thread up, after an error, for its worker's loop.
void abandon() __attribute__((noreturn));
// 0 outside the kernel library.
inline uint64_t code_offset(const Job* j, uintptr_t pc) { return pc >= j->code_low && pc < j->code_high ? pc - j->base : 0; }
const char* base_name(const char* file);
uint64_t next_time();  // see Touch
// A thread is at an operation with others: what it heard before, these know after it.
void come_to(Thread* self, Place at);
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

// Starts n threads that run blocks, as far as there are fewer; zero when the system refuses one.
extern "C" __attribute__((visibility("default"))) int bench_sim_workers(unsigned n);

// Runs one launch to its end; not zero when it failed, with a message.
extern "C" __attribute__((visibility("default"))) int bench_sim_launch(bench_sim::Launch* l);
