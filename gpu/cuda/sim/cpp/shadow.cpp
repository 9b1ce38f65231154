// What is known of a block's shared memory, and the clocks by which its accesses are ordered, see checks.cpp.
#include <stdlib.h>
#include <string.h>

#include "runtime.h"

namespace bench_sim {

enum { BEHIND = 256 };  // bytes known to be outside, which an access meets that goes too far

bool Block::prepare_shadow(size_t statics_size, size_t dynamic_size) {
  size_t words = (statics_size + dynamic_size) / 4 + 4 + BEHIND / 4 + 1;
  if (words <= shadow_words) return true;
  free_shadow();
  writes = static_cast<Access*>(calloc(words, sizeof *writes));
  reads = static_cast<Readers*>(calloc(words, sizeof *reads));
  states = static_cast<unsigned char*>(malloc(words * 4));
  if (!writes || !reads || !states) {
    free_shadow();
    return false;
  }
  shadow_words = words;
  return true;
}

void Block::free_shadow() {
  free(writes);
  free(reads);
  free(states);
  writes = nullptr;
  reads = nullptr;
  states = nullptr;
  shadow_words = 0;
}

void Block::begin_shadow() {
  const Launch* l = worker->job->launch;
  size_t room = worker->statics_room;
  memcpy(states, l->statics_states, worker->job->statics_bytes);
  memset(states + worker->job->statics_bytes, OUTSIDE, room - worker->job->statics_bytes);
  memset(states + room, UNWRITTEN, l->shared_bytes);
  memset(states + room + l->shared_bytes, OUTSIDE, BEHIND);
}

enum : unsigned { LAST_TIME = (1u << (64 - Access::TIME_BIT)) - 1 };

// The clocks of all warps go on from one number, below which is what was before.
void Block::next_epoch(unsigned warps_that_ran) {
  epoch++;
  if (!writes) return;
  for (unsigned i = 0; i < warps_that_ran; i++)
    if (warps[i] && warps[i]->top > floor) floor = warps[i]->top;
  if (floor > LAST_TIME / 2) return forget_accesses();
  for (unsigned i = 0; i < warps_that_ran; i++) {
    if (!warps[i]) continue;
    warps[i]->floor = floor;
    warps[i]->top = floor + 1;
  }
}

// Begins the clocks anew, at the price of the races with what was until now.
void Block::forget_accesses() {
  memset(writes, 0, shadow_words * sizeof *writes);
  memset(reads, 0, shadow_words * sizeof *reads);
  floor = 0;
  for (Warp* w : warps) {
    if (!w) continue;
    memset(w->clock, 0, sizeof w->clock);
    w->floor = 0;
    w->top = 1;
  }
}

void Warp::join_clocks(unsigned lanes) {
  if (top == LAST_TIME) return block->forget_accesses();
  if (lanes == began) {
    floor = top;
    top = floor + 1;
    return;
  }
  unsigned joined[WARP] = {};
  for (unsigned rest = lanes; rest; rest &= rest - 1) {
    int lane = __builtin_ctz(rest);
    unsigned* c = clock[lane];
    c[lane] = now(lane);
    for (int i = 0; i < WARP; i++) joined[i] = c[i] > joined[i] ? c[i] : joined[i];
  }
  for (unsigned rest = lanes; rest; rest &= rest - 1) {
    int lane = __builtin_ctz(rest);
    memcpy(clock[lane], joined, sizeof joined);
    if (++clock[lane][lane] > top) top = clock[lane][lane];
  }
}

}  // namespace bench_sim
