// What is known of the accesses of other blocks to global memory: vector clocks, whose
// parts are the threads, the warps and the blocks of the grid.
#pragma once
#include "runtime.h"

namespace bench_sim {

enum { FAN = 32 };

// A tree of the blocks that anything is known of, by the digits of their numbers to the
// base FAN; below them warps, and below these threads. A clock that is held more than
// once never changes, so that clocks share parts, and equal parts are mostly one.
struct Clock {
  unsigned refs;  // workers share clocks by words, so that this is counted atomically
  unsigned char depth;  // above the warps, which have 0
  // Of a block or a warp: its accesses before the time are known, other than those of
  // the same epoch, and for a warp also phase. See Touch.
  uint16_t epoch, phase;
  uint64_t time;
  union {
    Clock* child[FAN];
    uint64_t lane[WARP];  // of a thread, all its accesses before the time are known
  };
};

// Says whether an access is known.
inline bool knows(const Clock* c, const Touch& a) {
  while (c && c->depth > 1) c = c->child[a.block() >> 5 * (c->depth - 2) & (FAN - 1)];
  if (!c) return false;
  if (a.time() < c->time && a.epoch() != c->epoch) return true;
  const Clock* warp = c->child[a.thread() / WARP];
  if (!warp) return false;
  if (a.time() < warp->time && (a.epoch() != warp->epoch || a.phase() != warp->phase)) return true;
  return a.time() < warp->lane[a.thread() % WARP];
}

// Keeps the calling worker from being interrupted for good.
struct Busy {
  Busy();
  ~Busy();
};

// Holds what all workers share.
struct Hold : Busy {
  Hold();
  ~Hold();
};

extern uint64_t now;  // see Touch

// Begins a launch with so many blocks, and ends it.
void begin_clocks(unsigned long long blocks);
void end_clocks();
// A fence, of the device or of the block only.
void fence(Thread* t, Scope scope);
// Before an atomic or volatile write: makes what is behind a fence of the thread known to whoever reads the words.
void publish(Thread* t, uintptr_t address, unsigned bytes);
// After an atomic or volatile read, of the words that the thread hears: takes over what was published by them.
void hear(Thread* t);
// At a barrier of the cluster, past which the blocks know of each other.
void learn_cluster(Cluster* c, uint64_t time);

}  // namespace bench_sim
