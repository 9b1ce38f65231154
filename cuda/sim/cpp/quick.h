// The checks of almost all accesses, in line: memory that was written, touched by
// nobody else since a barrier that both know of, or since the launch began. Everything
// else is left to check_access, which looks at the whole access once more.
#pragma once
#include <string.h>

#include "checks.h"

namespace bench_sim {

extern uint64_t now;  // see Touch

inline Access shared_access(const Thread* t, const Block* b, unsigned kind, uintptr_t pc) {
  const Warp* w = t->warp;
  return {b->epoch, w->now(t->lane), static_cast<unsigned>(pc - worker->job->code_low), static_cast<unsigned short>(w->index * WARP + t->lane), 0xf, (kind & STRONG) != 0};
}

// Whole words at the time 0.
inline Touch global_touch(const Thread* t, const Block* b, unsigned kind, uintptr_t pc) {
  uint64_t offset = code_offset(worker->job, pc);
  if (offset >> 21) offset = 0;
  const Warp* w = t->warp;
  return {uint64_t(b->number & ((1u << 20) - 1)) << 40 | uint64_t(0xf) << 60,
          offset | uint64_t((kind & STRONG) != 0) << 21 | uint64_t(w->index * WARP + t->lane) << 22 | uint64_t(b->epoch & 0xffff) << 32 | uint64_t(w->phase & 0xffff) << 48};
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
inline void add_read(Shadow& s, const Access& now) {
  const Access &former = s.read[0], &other = s.read[1];
  if (former.epoch == now.epoch && former.thread != now.thread) {
    bool kept = other.epoch == now.epoch && other.thread / WARP != now.thread / WARP && former.thread / WARP == now.thread / WARP;
    if (!kept) s.read[1] = former;
  }
  s.read[0] = now;
}

template <unsigned BYTES, unsigned KIND>
inline bool quick_shared(const Thread* t, Block* b, size_t at, uintptr_t pc) {
  unsigned char* states = b->states + at;
  if (at % 4 || !all_are<BYTES>(states, WRITTEN)) {
    if (at % 4 || KIND != WRITES || !all_are<BYTES>(states, UNWRITTEN)) return false;
    memset(states, WRITTEN, BYTES);
  }
  const Access now = shared_access(t, b, KIND, pc);
  const Warp* w = t->warp;
  const auto known = [&](const Access& a) {
    return a.epoch != now.epoch || a.thread == now.thread || (a.thread / WARP == w->index && a.clock <= w->floor);
  };
  Shadow* s = b->shadow + at / 4;
  for (unsigned i = 0; i < BYTES / 4; i++, s++) {
    if (!known(s->write)) return false;
    if (KIND & WRITES) {
      if (!known(s->read[0]) || !known(s->read[1])) return false;
      s->write = now;
    } else {
      add_read(*s, now);
    }
  }
  return true;
}

template <unsigned BYTES, unsigned KIND>
inline bool quick_global(const Thread* t, const Block* b, const Region* r, size_t at, uintptr_t pc) {
  unsigned char* states = r->states + at;
  if (at % 4) return false;
  if (!all_are<BYTES>(states, WRITTEN) && (KIND != READS || !all_are<BYTES>(states, CONSTANT))) {
    if (KIND != WRITES || !all_are<BYTES>(states, UNWRITTEN)) return false;
    memset(states, WRITTEN, BYTES);
  }
  Touch touch = global_touch(t, b, KIND, pc);
  touch.low |= __atomic_load_n(&now, __ATOMIC_RELAXED);
  const uint64_t since = t->heard > b->synced ? t->heard : b->synced;
  const unsigned block = touch.block(), thread = touch.thread(), epoch = touch.epoch();
  const auto known = [&](const Touch& a) {
    return a.time() < since || (a.block() == block && (a.thread() == thread || a.epoch() != epoch));
  };
  Cell* c = r->cells + at / 4;
  for (unsigned i = 0; i < BYTES / 4; i++, c++) {
    if (!known(c->write)) return false;
    if (KIND & WRITES) {
      if (!known(c->read)) return false;
      c->write = touch;
    } else if (known(c->read) || c->read.block() == block) {
      c->read = touch;
    }
  }
  return true;
}

template <unsigned BYTES, unsigned KIND>
__attribute__((always_inline)) inline void quick_check(const volatile void* p, void* behind) {
  if (!bench_sim_current || is_local(p)) return;
  const Worker* w = worker;
  const Thread* t = current();
  uintptr_t a = reinterpret_cast<uintptr_t>(p), pc = reinterpret_cast<uintptr_t>(behind);
  Block* b = t->warp->block;
  if (!t->hears) {
    size_t at = a - reinterpret_cast<uintptr_t>(w->statics), from = a - reinterpret_cast<uintptr_t>(b->dynamic);
    if (at < w->statics_bytes) {
      if (quick_shared<BYTES, KIND>(t, b, at, pc)) return;
    } else if (from < w->shared_bytes) {
      if (quick_shared<BYTES, KIND>(t, b, from + w->statics_room, pc)) return;
    } else {
      const Slot& slot = w->slots[(a >> PAGE_BITS) % SLOTS];
      if (slot.page == a >> PAGE_BITS && slot.region && quick_global<BYTES, KIND>(t, b, slot.region, a - slot.region->low, pc)) return;
    }
  }
  check_access(p, BYTES, KIND, behind);
}

}  // namespace bench_sim
