// The checks of almost all accesses, in line: memory that was written, touched by
// nobody else since a barrier that both know of, or since the launch began. Everything
// else is left to check_access, which looks at the whole access once more.
#pragma once
#include <string.h>

#include "checks.h"
#include "clock.h"

namespace bench_sim {

Region* find_region(Worker* w, uintptr_t a);  // null if it is in none

// What an access remembers of its place.
inline uint64_t known_offset(uintptr_t pc) {
  uint64_t offset = code_offset(worker->job, pc);
  return offset & ~Access::PC ? 0 : offset;
}

// Whole words.
inline Access shared_access(const Thread* t, unsigned kind, uintptr_t pc) {
  const Warp* w = t->warp;
  return {known_offset(pc) | (kind & STRONG ? Access::STRONG : 0) | uint64_t(w->index * WARP + t->lane) << Access::THREAD_BIT | Access::MASK |
          uint64_t(w->now(t->lane)) << Access::TIME_BIT};
}

// Whole words at the time 0.
inline Touch global_touch(const Thread* t, const Block* b, unsigned kind, uintptr_t pc) {
  const Warp* w = t->warp;
  return {uint64_t(b->number & ((1u << 20) - 1)) << 40 | uint64_t(0xf) << 60,
          known_offset(pc) | uint64_t((kind & STRONG) != 0) << 21 | uint64_t(w->index * WARP + t->lane) << 22 | uint64_t(b->epoch & 0xffff) << 32 | uint64_t(w->phase & 0xffff) << 48};
}

// Says whether all bytes have the state.
template <unsigned BYTES>
inline bool all_are(const unsigned char* s, State state) {
  const uint64_t want = 0x0101010101010101u * state;
  uint64_t v = 0;
  if (BYTES == 16) {
    uint64_t w;
    memcpy(&w, s + 8, 8);
    if (w != want) return false;
  }
  memcpy(&v, s, BYTES < 8 ? BYTES : 8);
  return v == (BYTES < 8 ? want & ((uint64_t(1) << BYTES % 8 * 8) - 1) : want);
}

// Of the reads that a later write may race with, keeps the last and one of another
// thread, rather of another warp.
inline void add_read(Readers& s, const Access& now, const Block* b) {
  const Access &former = s.last, &other = s.other;
  if (!former.until(b->floor) && !former.same_thread(now)) {
    bool kept = !other.until(b->floor) && !other.same_warp(now) && former.same_warp(now);
    if (!kept) s.other = former;
  }
  s.last = now;
}

// Where a block's shared memory has not been written since the last barrier, its reads need
// not look for writes, and the other way about. The same holds of global memory, since
// the launch began.
inline void note_use(Block* b, unsigned kind) {
  if (kind & WRITES) b->wrote = b->epoch;
  if (kind & READS) b->was_read = b->epoch;
}

// A use is noted before anybody looks for what may race with it.
inline void note_use(Region* r, unsigned kind, uint64_t time) {
  const auto raise = [time](uint64_t& to) {
    uint64_t v = __atomic_load_n(&to, __ATOMIC_RELAXED);
    while (v < time && !__atomic_compare_exchange_n(&to, &v, time, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {}
  };
  if (kind & WRITES) raise(r->wrote);
  if (kind & READS) raise(r->was_read);
}

template <unsigned BYTES, unsigned KIND>
inline bool quick_shared(const Thread* t, Block* b, size_t at, uintptr_t pc) {
  unsigned char* states = b->states + at;
  if (at % 4 || !all_are<BYTES>(states, WRITTEN)) {
    if (at % 4 || KIND != WRITES || !all_are<BYTES>(states, UNWRITTEN)) return false;
    memset(states, WRITTEN, BYTES);
  }
  const Access now = shared_access(t, KIND, pc);
  const unsigned floor = t->warp->floor;
  const auto known = [&](const Access& a) { return a.until(b->floor) || a.same_thread(now) || (a.same_warp(now) && a.until(floor)); };
  Access* write = b->writes + at / 4;
  Readers* read = b->reads + at / 4;
  if (b->wrote == b->epoch)
    for (unsigned i = 0; i < BYTES / 4; i++)
      if (!known(write[i])) return false;
  if (KIND & WRITES && b->was_read == b->epoch)
    for (unsigned i = 0; i < BYTES / 4; i++)
      if (!known(read[i].last) || !known(read[i].other)) return false;
  note_use(b, KIND);
  for (unsigned i = 0; i < BYTES / 4; i++) {
    if (KIND & WRITES) write[i] = now;
    else add_read(read[i], now, b);
  }
  return true;
}

template <unsigned BYTES, unsigned KIND>
inline bool quick_global(const Thread* t, const Block* b, Region* r, size_t at, uintptr_t pc) {
  unsigned char* states = r->states + at;
  if (at % 4) return false;
  if (!all_are<BYTES>(states, WRITTEN) && (KIND != READS || !all_are<BYTES>(states, CONSTANT))) {
    if (KIND != WRITES || !all_are<BYTES>(states, UNWRITTEN)) return false;
    memset(states, WRITTEN, BYTES);
  }
  Touch touch = global_touch(t, b, KIND, pc);
  const uint64_t time = __atomic_load_n(&now, __ATOMIC_RELAXED);
  touch.low |= time;
  note_use(r, KIND, time);
  const uint64_t since = b->since;
  const unsigned block = touch.block(), thread = touch.thread(), epoch = touch.epoch();
  const auto known = [&](const Touch& a) {
    return a.time() < since || (a.block() == block && (a.thread() == thread || a.epoch() != epoch));
  };
  Touch* write = r->writes + at / 4;
  Touch* read = r->reads + at / 4;
  if (__atomic_load_n(&r->wrote, __ATOMIC_RELAXED) >= since)
    for (unsigned i = 0; i < BYTES / 4; i++)
      if (!known(write[i])) return false;
  if (KIND & WRITES && __atomic_load_n(&r->was_read, __ATOMIC_RELAXED) >= since)
    for (unsigned i = 0; i < BYTES / 4; i++)
      if (!known(read[i])) return false;
  for (unsigned i = 0; i < BYTES / 4; i++) {
    if (KIND & WRITES) {
      Touch::store(write[i], touch);
    } else if (known(read[i]) || read[i].block() == block) {
      Touch::store(read[i], touch);
    }
  }
  return true;
}

inline Region* region_of(Worker* w, uintptr_t a) {
  const Slot& slot = w->slots[(a >> PART_BITS) % SLOTS];
  return slot.part == a >> PART_BITS && (!slot.region || slot.region->has(a)) ? slot.region : find_region(w, a);
}

template <unsigned BYTES, unsigned KIND>
__attribute__((always_inline)) inline void quick_check(const volatile void* p, void* behind) {
  if (!bench_sim_current || is_local(p)) return;
  Worker* w = worker;
  const Thread* t = current();
  uintptr_t a = reinterpret_cast<uintptr_t>(p), pc = reinterpret_cast<uintptr_t>(behind);
  Block* b = t->warp->block;
  if (!t->hears && !t->doubts) {
    size_t at = a - reinterpret_cast<uintptr_t>(w->statics), from = a - reinterpret_cast<uintptr_t>(b->dynamic);
    if (at < w->statics_bytes) {
      if (quick_shared<BYTES, KIND>(t, b, at, pc)) return;
    } else if (from < w->shared_bytes) {
      if (quick_shared<BYTES, KIND>(t, b, from + w->statics_room, pc)) return;
    } else {
      Region* r = region_of(w, a);
      if (r && quick_global<BYTES, KIND>(t, b, r, a - r->low, pc)) return;
    }
  }
  check_access(p, BYTES, KIND, behind);
}

}  // namespace bench_sim
