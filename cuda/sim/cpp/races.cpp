// Detects races on shared memory: two accesses to one word by two threads, one
// of them a write, that no barrier and no warp operation separates. Kernels
// compiled for it (g++ -fsanitize=thread) announce every access by the
// functions that the compiler would have from ThreadSanitizer; package sim
// links these instead. Order within a warp is kept by vector clocks, as in
// C. Flanagan, S. Freund, "FastTrack: Efficient and Precise Dynamic Race
// Detection", 2009; order within a block by counting its barriers.
//
// A word remembers its last write and the last reads of two threads. Volatile
// and atomic accesses do not race with each other, for PTX makes both strong
// operations (PTX ISA, memory consistency model). Order that threads establish
// by such accesses and fences alone is not seen: code that relies on it is
// reported.
#include <stdlib.h>
#include <string.h>

#include "runtime.h"

namespace bench_sim {

enum { NONE = 0xffff };

bool Block::prepare_shadow(size_t words) {
  if (words > shadow_words) {
    free(shadow);
    shadow_words = 0;
    shadow = static_cast<Shadow*>(calloc(words, sizeof(Shadow)));
    if (!shadow) return false;
    shadow_words = words;
  }
  return true;
}

void Warp::begin_clocks() {
  memset(clock, 0, sizeof clock);
  for (unsigned i = 0; i < WARP; i++) clock[i][i] = 1;
}

void Warp::join_clocks(unsigned lanes) {
  unsigned joined[WARP] = {};
  for (unsigned rest = lanes; rest; rest &= rest - 1) {
    const unsigned* c = clock[__builtin_ctz(rest)];
    for (int i = 0; i < WARP; i++) joined[i] = c[i] > joined[i] ? c[i] : joined[i];
  }
  for (unsigned rest = lanes; rest; rest &= rest - 1) {
    int lane = __builtin_ctz(rest);
    memcpy(clock[lane], joined, sizeof joined);
    clock[lane][lane]++;
  }
}

// Says whether a happened before what t does now.
static bool before(const Access& a, const Thread* t, unsigned number) {
  const Block* b = t->warp->block;
  if (a.epoch != b->epoch || a.thread == number) return true;
  if (a.thread / WARP != t->warp->index) return false;
  return t->warp->clock[t->lane][a.thread % WARP] >= a.clock;
}

static void access(const volatile void* address, unsigned bytes, bool writes, bool strong, const void* pc) {
  if (!bench_sim_current || !worker) return;
  Thread* t = current();
  Block* b = t->warp->block;
  if (!b->shadow) return;
  const char* p = static_cast<const char*>(const_cast<const void*>(address));
  size_t at, statics = (worker->job->statics_bytes + 15) & ~size_t(15);
  if (p >= worker->statics && p < worker->statics + worker->job->statics_bytes)
    at = static_cast<size_t>(p - worker->statics);
  else if (p >= static_cast<char*>(b->dynamic) && p < static_cast<char*>(b->dynamic) + worker->job->launch->shared_bytes)
    at = static_cast<size_t>(p - static_cast<char*>(b->dynamic)) + statics;
  else
    return;
  unsigned number = t->warp->index * WARP + t->lane;
  for (size_t end = at + bytes; at < end; at = (at & ~size_t(3)) + 4) {
    if (at / 4 >= b->shadow_words) return;
    Shadow& w = b->shadow[at / 4];
    unsigned first = at % 4, last = (at & ~size_t(3)) + 4 < end ? 4 : static_cast<unsigned>(end - (at & ~size_t(3)));
    unsigned char mask = static_cast<unsigned char>((1u << last) - (1u << first));
    Access now = {b->epoch, t->warp->clock[t->lane][t->lane], static_cast<unsigned short>(number), mask, strong,
                  reinterpret_cast<uintptr_t>(pc)};
    const Access* other = nullptr;
    if (w.write.mask & mask && !(strong && w.write.strong) && !before(w.write, t, number)) other = &w.write;
    bool other_writes = other != nullptr;
    for (int i = 0; i < 2 && writes && !other; i++)
      if (w.read[i].mask & mask && !(strong && w.read[i].strong) && !before(w.read[i], t, number)) other = &w.read[i];
    if (other) report_race(t, now, writes, *other, other_writes);
    if (writes) {
      w.write = now;
    } else {
      // Of the reads that a later write may race with, keep the last and one
      // of another thread, rather of another warp.
      const Access& former = w.read[0];
      bool kept = w.read[1].epoch == b->epoch && w.read[1].thread / WARP != t->warp->index && former.thread / WARP == t->warp->index;
      if (former.epoch == b->epoch && former.thread != number && !kept) w.read[1] = former;
      w.read[0] = now;
    }
  }
}

}  // namespace bench_sim

#pragma GCC visibility push(default)

#define PC __builtin_extract_return_addr(__builtin_return_address(0))
#define HOOKS(bytes)                                                                                              \
  extern "C" void __tsan_read##bytes(void* p) { bench_sim::access(p, bytes, false, false, PC); }                  \
  extern "C" void __tsan_write##bytes(void* p) { bench_sim::access(p, bytes, true, false, PC); }                  \
  extern "C" void __tsan_unaligned_read##bytes(void* p) { bench_sim::access(p, bytes, false, false, PC); }        \
  extern "C" void __tsan_unaligned_write##bytes(void* p) { bench_sim::access(p, bytes, true, false, PC); }        \
  extern "C" void __tsan_volatile_read##bytes(void* p) { bench_sim::access(p, bytes, false, true, PC); }          \
  extern "C" void __tsan_volatile_write##bytes(void* p) { bench_sim::access(p, bytes, true, true, PC); }          \
  extern "C" void __tsan_unaligned_volatile_read##bytes(void* p) { bench_sim::access(p, bytes, false, true, PC); } \
  extern "C" void __tsan_unaligned_volatile_write##bytes(void* p) { bench_sim::access(p, bytes, true, true, PC); }
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

#define ATOMICS(bits, T)                                                                                           \
  extern "C" T __tsan_atomic##bits##_load(const volatile T* p, int) {                                             \
    bench_sim::access(p, sizeof *p, false, true, PC);                                                             \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                                  \
  }                                                                                                               \
  extern "C" void __tsan_atomic##bits##_store(volatile T* p, T v, int) {                                          \
    bench_sim::access(p, sizeof *p, true, true, PC);                                                              \
    __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                                     \
  }                                                                                                               \
  extern "C" int __tsan_atomic##bits##_compare_exchange_strong(volatile T* p, T* expected, T v, int, int) {       \
    bench_sim::access(p, sizeof *p, true, true, PC);                                                              \
    return __atomic_compare_exchange_n(p, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                \
  }                                                                                                               \
  UPDATE(bits, T, exchange, exchange_n)                                                                           \
  UPDATE(bits, T, fetch_add, fetch_add)                                                                           \
  UPDATE(bits, T, fetch_and, fetch_and)                                                                           \
  UPDATE(bits, T, fetch_or, fetch_or)                                                                             \
  UPDATE(bits, T, fetch_xor, fetch_xor)
#define UPDATE(bits, T, name, operation)                                             \
  extern "C" T __tsan_atomic##bits##_##name(volatile T* p, T v, int) {               \
    bench_sim::access(p, sizeof *p, true, true, PC);                                 \
    return __atomic_##operation(p, v, __ATOMIC_SEQ_CST);                             \
  }
ATOMICS(16, unsigned short)
ATOMICS(32, unsigned)
ATOMICS(64, unsigned long long)

extern "C" {
void __tsan_init() {}
void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_read_range(void* p, size_t bytes) { bench_sim::access(p, static_cast<unsigned>(bytes), false, false, PC); }
void __tsan_write_range(void* p, size_t bytes) { bench_sim::access(p, static_cast<unsigned>(bytes), true, false, PC); }
}
#pragma GCC visibility pop
