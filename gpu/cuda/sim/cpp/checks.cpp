// Checks every access of a kernel to memory: is it inside a variable or an
// allocation, was what it reads ever written, may it be written, and does it race:
// two accesses to one word by two threads, one of them a write, in no order that
// the program keeps. Kernels compiled for it announce their accesses, see hooks.cpp.
//
// On shared memory, order within a warp is kept by vector clocks, as in
// C. Flanagan, S. Freund, "FastTrack: Efficient and Precise Dynamic Race
// Detection", 2009; order within a block by counting its barriers. A word
// remembers its last write and the last reads of two threads. Volatile and atomic
// accesses do not race with each other, for PTX makes both strong operations (PTX
// ISA, memory consistency model). Order that threads establish by such accesses and
// fences alone is not seen: code that relies on it is reported.
//
// On global memory, blocks order their accesses by release and acquire on one word, see
// clock.cpp. Two orders are no more than plausible, and taken for granted, since kernels set
// counters and slots back by them: a plain access follows a strong write to a word that its thread read by
// a strong read, and a plain write follows the strong accesses of others to that word before any
// strong operation that its thread heard of.
//
// A read of what was not written is kept back until the block or the launch ends: if
// the word is written later in no order with it, the cause is the race.
#include <stdio.h>
#include <string.h>

#include "quick.h"
#include "race.h"

namespace bench_sim {

static unsigned long long place(uintptr_t pc) { return code_offset(worker->job, pc - 1); }  // the hook's return address lies behind the access
static const char* verb(bool writes) { return writes ? "writes" : "reads"; }
static const char* ending(unsigned n) { return n == 1 ? "" : "s"; }

static void __attribute__((noreturn)) fail_outside(const char* where, uintptr_t at, unsigned bytes, bool writes, uintptr_t pc) {
  fail("{pc %llx}: %s %u byte%s at {%s %llx}", place(pc), verb(writes), bytes, ending(bytes), where, static_cast<unsigned long long>(at));
}

// Remembers the first read of what was not written.
static void unwritten(char* text, const char* where, uintptr_t at, uintptr_t pc, bool left = false) {
  int n = describe_thread(text, sizeof Block::pending, current());
  snprintf(text + n, sizeof Block::pending - static_cast<size_t>(n), "{pc %llx}: reads what %s, at {%s %llx}", place(pc),
           left ? "an earlier run left" : "was never written", where, static_cast<unsigned long long>(at));
}

// The first of the bytes that is none of the states in the mask.
static unsigned first_other(const unsigned char* s, unsigned bytes, unsigned mask) {
  unsigned i = 0;
  while (i < bytes && mask >> s[i] & 1) i++;
  return i;
}

// Says whether all bytes were written, and are no constants.
static inline bool all_written(const unsigned char* s, unsigned bytes) {
  uint64_t v = 0, w = 0;
  switch (bytes) {
    case 1: return *s == WRITTEN;
    case 2: memcpy(&v, s, 2); return v == 0x0202;
    case 4: memcpy(&v, s, 4); return v == 0x02020202;
    case 8: memcpy(&v, s, 8); return v == 0x0202020202020202;
    case 16: memcpy(&v, s, 8); memcpy(&w, s + 8, 8); return v == 0x0202020202020202 && w == v;
  }
  return first_other(s, bytes, 1u << WRITTEN) == bytes;
}

// Says whether a happened before what t does now.
static inline bool before(const Access& a, const Access& now, const Thread* t, const Block* b) {
  if (a.until(b->floor) || a.same_thread(now)) return true;
  const Warp* w = t->warp;
  return a.same_warp(now) && (a.until(w->floor) || w->clock[t->lane][a.thread() % WARP] >= a.time());
}

// Bits of the bytes from at on, up to end, of the word that at lies in.
static inline unsigned part_of_word(size_t at, size_t end) {
  size_t word = at & ~size_t(3);
  unsigned first = at % 4, last = word + 4 < end ? 4 : static_cast<unsigned>(end - word);
  return (1u << last) - (1u << first);
}

// The word is at an address of the block's shared memory.
static inline void touch_word(size_t word, uintptr_t address, Thread* t, Block* b, const Access& now, unsigned kind, uintptr_t pc) {
  const auto races = [&](const Access& a) { return a.bits & now.bits & Access::MASK && !(a.bits & now.bits & Access::STRONG) && !before(a, now, t, b); };
  const auto meet = [&](const Access& a, bool wrote) { meet_race(t, {pc, kind, false, wrote, {.access = a}}, address, (a.bits & now.bits) >> 32 & 0xf); };
  Access& write = b->writes[word];
  Readers& reads = b->reads[word];
  const bool meets = races(write);
  if (meets) meet(write, true);
  if (!(kind & WRITES)) return add_read(reads, now, b);
  for (int i = 0; i < 2; i++) {
    Access& read = i ? reads.other : reads.last;
    if (races(read)) meet(read, read.bits & Access::WROTE);
    if (kind & COMPARES && read.same_thread(now)) read.bits |= Access::STRONG;
  }
  if (meets) {
    add_read(reads, {write.bits | Access::WROTE}, b);
    note_use(b, READS);
  }
  write = now;
}

static void access_shared(Thread* t, Block* b, uintptr_t a, size_t at, unsigned bytes, unsigned kind, uintptr_t pc) {
  unsigned char* s = b->states + at;
  bool reads = kind & READS, writes = kind & WRITES;
  if (__builtin_expect(!all_written(s, bytes), 0)) {
    unsigned in = first_other(s, bytes, 1u << UNWRITTEN | 1u << WRITTEN);
    if (in < bytes) {
      size_t room = worker->statics_room;
      fail_outside(at < room ? "shared" : "dynamic", at < room ? at : at - room, bytes, writes, pc);
    }
    if (reads && !b->pending[0] && !is_benign(place(pc))) {
      size_t room = worker->statics_room, first = at + first_other(s, bytes, 1u << WRITTEN);
      unwritten(b->pending, first < room ? "shared" : "dynamic", first < room ? first : first - room, pc);
    }
    if (writes) memset(s, WRITTEN, bytes);
  }
  note_use(b, kind);
  Access now = shared_access(t, kind, pc);
  if (at % 4 == 0 && bytes % 4 == 0) {
    for (unsigned i = 0; i < bytes / 4; i++) touch_word(at / 4 + i, a + 4 * i, t, b, now, kind, pc);
    return;
  }
  const uintptr_t origin = a - at;
  for (size_t end = at + bytes; at < end; at = (at & ~size_t(3)) + 4) {
    now.bits = (now.bits & ~Access::MASK) | uint64_t(part_of_word(at, end)) << 32;
    touch_word(at / 4, origin + (at & ~size_t(3)), t, b, now, kind, pc);
  }
}

Region* find_region(Worker* w, uintptr_t a) {
  const Launch* l = w->job->launch;
  size_t low = 0, high = l->region_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (l->regions[middle].high <= a) low = middle + 1;
    else high = middle;
  }
  Region* r = low < l->region_count && l->regions[low].low <= a ? &l->regions[low] : nullptr;
  const auto near = [a](uintptr_t b) { return b >> PART_BITS == a >> PART_BITS; };
  bool others = (low < l->region_count && near(l->regions[low].low)) || (low && near(l->regions[low - 1].high - 1));
  if (r || !others) w->slots[(a >> PART_BITS) % SLOTS] = Slot{a >> PART_BITS, r};
  return r;
}

// Says whether a is of the same block, and happened before now.
static inline bool before_in_block(const Touch& a, const Touch& now) {
  if (a.block() != now.block()) return false;
  if (a.thread() == now.thread() || a.epoch() != now.epoch()) return true;
  return a.thread() / WARP == now.thread() / WARP && a.phase() != now.phase();
}

// Says whether a happened before what t does now.
static inline bool before(const Touch& a, const Touch& now, const Thread* t, const Block* b) {
  if (a.time() < b->since || before_in_block(a, now)) return true;
  return knows(t->heard.clock, a) || knows(t->warp->lanes.known.clock, a) || knows(b->threads.known.clock, a);
}

// Says whether a strong operation was heard of since.
static inline bool heard_since(const Touch& a, const Thread* t, const Block* b) {
  return a.time() < t->heard.time || a.time() < t->warp->lanes.known.time || a.time() < b->threads.known.time;
}

static inline void touch_word(Region* region, size_t word, const Touch& now, Thread* t, const Block* b, unsigned kind, uintptr_t pc) {
  Touch& write = region->writes[word];
  Touch& read = region->reads[word];
  const Touch w = Touch::load(write), r = Touch::load(read);
  const bool writes = kind & WRITES;
  const auto sets_back = [&](const Touch& a) { return writes && a.strong() && heard_since(a, t, b); };
  const auto was_seen = [&] { return w.strong() && r.strong() && r.time() >= b->since && before_in_block(r, now); };
  const auto races = [&](const Touch& a) { return a.mask() & now.mask() && !(now.strong() && a.strong()) && !before(a, now, t, b) && !sets_back(a); };
  const auto meet = [&](const Touch& a, bool wrote) { meet_race(t, {pc, kind, true, wrote, {.touch = a}}, region->low + 4 * word, a.mask() & now.mask()); };
  const bool meets = races(w) && !was_seen();
  if (meets) meet(w, true);
  if (writes) {
    if (races(r)) {
      meet(r, r.wrote());
      // The reader may have swapped meanwhile.
      __atomic_thread_fence(__ATOMIC_SEQ_CST);
      const Touch later = Touch::load(read);
      if (kind & COMPARES && (later.low != r.low || later.high != r.high)) excuse_reads(r.block(), r.thread(), region->low + 4 * word, 4);
    }
    if (kind & COMPARES && r.block() == now.block() && r.thread() == now.thread() && r.epoch() == now.epoch()) Touch::store(read, {r.low, r.high | Touch::STRONG});
    if (meets && (!r.mask() || before(r, now, t, b))) {
      Touch::store(read, {w.low | Touch::WROTE, w.high});
      note_use(region, READS, w.time());
    }
    Touch::store(write, now);
  } else if (!r.mask() || r.block() == now.block() || before(r, now, t, b)) {
    Touch::store(read, now);
  }
}

static void access_global(Thread* t, Block* b, Region* r, uintptr_t a, unsigned bytes, unsigned kind, uintptr_t pc) {
  unsigned char* s = r->states + (a - r->low);
  bool writes = kind & WRITES;
  if (__builtin_expect(!all_written(s, bytes), 0)) {
    const unsigned writable = 1u << UNWRITTEN | 1u << SET | 1u << LEFT | 1u << WRITTEN;
    if (first_other(s, bytes, writable | 1u << CONSTANT) != bytes) fail_outside("at", a, bytes, writes, pc);
    if (writes && first_other(s, bytes, writable) != bytes)
      fail("{pc %llx}: writes to a constant, {at %llx}", place(pc), static_cast<unsigned long long>(a));
    // A loop may wait until what was set to 0xff is written.
    unsigned unset = first_other(s, bytes, 1u << WRITTEN | 1u << CONSTANT | (kind & STRONG ? 1u << SET : 0) | (kind & UPDATES ? 1u << LEFT : 0));
    if (kind & READS && unset < bytes && (s[unset] == LEFT || !is_benign(place(pc)))) {
      int none = 0;
      Job* j = worker->job;
      if (__atomic_compare_exchange_n(&j->has_pending, &none, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        unwritten(j->pending, "at", a + unset, pc, s[unset] == LEFT);
        __atomic_store_n(&j->has_pending, 2, __ATOMIC_RELEASE);
      }
    }
    // What is made of what an earlier run left is as if it were left.
    if (writes && !(kind & UPDATES && s[0] == LEFT)) memset(s, WRITTEN, bytes);
  }
  if (kind & STRONG && kind & (READS | EXCHANGES)) {
    t->hears = a;
    t->hears_bytes = bytes;
  }
  Touch touch = global_touch(t, b, kind, pc);
  uint64_t time = __atomic_load_n(&now, __ATOMIC_RELAXED);
  if (kind & STRONG && writes) {
    // Who hears of this write hears of what was before it.
    publish(t, a, bytes);
    time = __atomic_fetch_add(&now, 1, __ATOMIC_SEQ_CST);
    __atomic_thread_fence(__ATOMIC_RELEASE);
  }
  touch.low |= time;
  note_use(r, kind, time);
  size_t at = a - r->low;
  if (at % 4 == 0 && bytes % 4 == 0) {
    for (unsigned i = 0; i < bytes / 4; i++) touch_word(r, at / 4 + i, touch, t, b, kind, pc);
    return;
  }
  for (size_t end = at + bytes; at < end; at = (at & ~size_t(3)) + 4) {
    touch.low = (touch.low & ~(uint64_t(0xf) << 60)) | uint64_t(part_of_word(at, end)) << 60;
    touch_word(r, at / 4, touch, t, b, kind, pc);
  }
}

// Shared memory of another block of the cluster: races on it are not looked for.
static void access_cluster(const Block* b, uintptr_t a, unsigned bytes, unsigned kind, uintptr_t pc) {
  const Job* j = worker->job;
  for (unsigned i = 0; i < b->cluster_size; i++) {
    Block* o = b->cluster->blocks[i];
    size_t at = a - reinterpret_cast<uintptr_t>(o->statics);
    if (!o->states || !o->statics || at >= j->statics_bytes) {
      at = a - reinterpret_cast<uintptr_t>(o->dynamic);
      if (!o->states || at >= j->launch->shared_bytes) continue;
      at += worker->statics_room;
    }
    if (first_other(o->states + at, bytes, 1u << UNWRITTEN | 1u << WRITTEN) != bytes)
      fail("{pc %llx}: %s %u byte%s outside the shared memory of another block of the cluster", place(pc), verb(kind & WRITES), bytes, ending(bytes));
    if (kind & WRITES) memset(o->states + at, WRITTEN, bytes);
    return;
  }
}

// A thread that reads one place again and again waits for another to write there: others
// run first. Where that is of no use, further blocks start.
static void look(Thread* t, const volatile void* p, uintptr_t pc) {
  enum { LOOKS = 16, LONG = 16 * LOOKS };
  if (t->awaited != p) {
    t->awaited = p;
    t->looks = 0;
  }
  if (++t->looks % LOOKS) return;
  if (__atomic_load_n(&worker->job->late, __ATOMIC_RELAXED)) fail_late(pc - 1);
  if (t->looks >= LONG) worker->interrupted = true;
  give_way(t, LOOKS, t->looks == LOOKS);
}

void check_access(const volatile void* p, unsigned bytes, unsigned kind, void* behind) {
  Worker* w = worker;
  if (!w || !bench_sim_current) return;
  Thread* t = current();
  uintptr_t a = reinterpret_cast<uintptr_t>(p), pc = reinterpret_cast<uintptr_t>(behind);
  if (__builtin_expect(t->doubts, 0)) judge_races(t, a, bytes, kind);
  if (__builtin_expect(t->hears, 0)) hear(t);
  if (kind & STRONG) {
    if (!__atomic_load_n(&w->job->waits, __ATOMIC_RELAXED)) __atomic_store_n(&w->job->waits, 1, __ATOMIC_RELAXED);
    if (kind & WRITES) t->awaited = nullptr;
    else look(t, p, pc);
  }
  Block* b = t->warp->block;
  size_t at = a - reinterpret_cast<uintptr_t>(w->statics);
  const auto excuse = [&] {
    if (!(kind & COMPARES)) return;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    excuse_reads(b->number & ((1u << 20) - 1), t->warp->index * WARP + t->lane, a, bytes);
  };
  if (at < w->statics_bytes) {
    access_shared(t, b, a, at, bytes, kind, pc);
    return excuse();
  }
  at = a - reinterpret_cast<uintptr_t>(b->dynamic);
  if (at < w->shared_bytes) {
    access_shared(t, b, a, at + worker->statics_room, bytes, kind, pc);
    return excuse();
  }
  if (Region* r = region_of(w, a)) {
    access_global(t, b, r, a, bytes, kind, pc);
    return excuse();
  }
  if (a - reinterpret_cast<uintptr_t>(b->dynamic_map) < b->dynamic_bytes + 2 * page_bytes()) fail_outside("dynamic", at, bytes, kind & WRITES, pc);
  if (b->cluster_size > 1) access_cluster(b, a, bytes, kind, pc);
}

}  // namespace bench_sim

using namespace bench_sim;

extern "C" void bench_sim_sent(void* to, unsigned long bytes) {
  Block* b = current()->warp->block;
  if (!b->states) return;
  uintptr_t a = reinterpret_cast<uintptr_t>(to);
  size_t at = a - reinterpret_cast<uintptr_t>(worker->statics);
  if (at < worker->job->statics_bytes) {
    memset(b->states + at, WRITTEN, bytes);
  } else if ((at = a - reinterpret_cast<uintptr_t>(b->dynamic)) < worker->job->launch->shared_bytes) {
    memset(b->states + at + worker->statics_room, WRITTEN, bytes);
  } else {
    access_cluster(b, a, static_cast<unsigned>(bytes), WRITES, 0);
  }
}
