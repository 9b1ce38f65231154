// Threads of one block: who runs next, barriers and warp operations.
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "race.h"
#include "switch.h"

__thread bench_sim::ThreadView* bench_sim_current __attribute__((tls_model("initial-exec")));

namespace bench_sim {

enum {
  ORDERS = 256,
  BUDGET = 256,
  HELD = 1 << 14,        // looks for which a block is held: by one thread of a GPU a tenth of a millisecond or more
  MOST_HELD = 4 * HELD,  // of a worker, besides a sixteenth of all
};
static unsigned char orders[ORDERS][WARP], positions[ORDERS][WARP];

__attribute__((constructor)) static void make_orders() {
  uint64_t state = 0x9e3779b97f4a7c15u;
  for (int i = 0; i < ORDERS; i++) {
    for (int k = 0; k < WARP; k++) orders[i][k] = static_cast<unsigned char>(k);
    for (int k = WARP - 1; k > 0; k--) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      int other = static_cast<int>((state >> 33) % static_cast<unsigned>(k + 1));
      unsigned char t = orders[i][k];
      orders[i][k] = orders[i][other];
      orders[i][other] = t;
    }
    for (int k = 0; k < WARP; k++) positions[i][orders[i][k]] = static_cast<unsigned char>(k);
  }
}

void choose_order(unsigned random, const unsigned char** order, const unsigned char** place) {
  *order = orders[random % ORDERS];
  *place = positions[random % ORDERS];
}

// xorshift64* (S. Vigna, "An experimental exploration of Marsaglia's xorshift
// generators, scrambled", 2016).
uint64_t Block::next_random() {
  random ^= random >> 12;
  random ^= random << 25;
  random ^= random >> 27;
  return (random * 0x2545f4914f6cdd1du) >> 32;
}

unsigned Warp::places(unsigned lanes) const {
  if (lanes == ~0u) return ~0u;
  unsigned set = 0;
  for (; lanes; lanes &= lanes - 1) set |= 1u << place[__builtin_ctz(lanes)];
  return set;
}

void Block::ready_warp(Warp* w) { ready |= 1u << place[w->index]; }

void Block::reorder(Warp* w) { choose_order(static_cast<unsigned>(next_random()), &w->order, &w->place); }

Thread* Block::pick() {
  Warp* w = running;
  while (!w || !w->ready) {
    if (w && w->converging) w->converge();
    if (w && w->ready) break;
    if (w) ready &= ~(1u << place[w->index]);
    if (!ready) {
      running = nullptr;
      return nullptr;
    }
    w = warps[order[__builtin_ctz(ready)]];
  }
  running = w;
  int position = __builtin_ctz(w->ready);
  w->ready &= w->ready - 1;
  return &w->threads[w->order[position]];
}

void leave(Thread* from) {
  Block* b = from->warp->block;
  Thread* next = b->pick();
  if (next == from) return;
  bench_sim_current = next;
  bench_sim_switch(&from->context, next ? next->context : worker->context);
}

void Block::resume_yielded() {
  if (!yielded) return;
  yielded = 0;
  for (unsigned i = 0; i < warp_count; i++) {
    Warp* w = warps[i];
    if (!w->yielded) continue;
    w->ready |= w->yielded;
    w->yielded = 0;
    ready_warp(w);
  }
}

// Threads of a GPU may be late by any time. If whoever waits always gave way, a wait that ends by itself would do for a
// barrier. So a block is held at times: its other threads are late. Who waits for as long as it takes only looks more often.
bool Block::hold(unsigned looks, bool begins) {
  Worker* w = worker;
  if (!held) {
    if (!begins || (w->looks_held && (w->looks_held >= MOST_HELD + w->looks / 16 || next_random() % 2))) {
      w->looks += looks;
      return false;
    }
    held = HELD;
    was_held = true;
  }
  w->looks_held += looks;
  held -= looks < held ? looks : held;
  __atomic_store_n(&w->holds, held != 0, __ATOMIC_RELAXED);
  return true;
}

void give_way(Thread* t, unsigned looks, bool begins) {
  t->budget = BUDGET;
  if (!worker->job->launch->checks || !t->warp->block->hold(looks, begins)) bench_sim_yield();
}

// Whoever is asked for the first time may wait, too.
void Block::asked(unsigned looks) {
  if (!worker->job->launch->checks || !hold(looks, !was_held)) bench_sim_yield();
}

void Block::begin(const uint3& at, unsigned rank) {
  index = at;
  number = at.x + grid.x * (at.y + grid.y * at.z);
  cluster_rank = rank;
  live = dim.x * dim.y * dim.z;
  warp_count = (live + WARP - 1) / WARP;
  arrived = predicates = cluster_arrived = yielded = held = 0;
  was_held = false;
  grid_epoch = epoch;
  since = worker->job->time;
  threads.begin();
  pending[0] = 0;
  if (states) begin_shadow();
  next_epoch(MAX_WARPS);
  running = nullptr;
  unsigned r = static_cast<unsigned>(next_random());
  choose_order(r, &order, &place);
  ready = 0;
  unsigned n = 0;
  uint3 at_thread = {0, 0, 0};
  for (unsigned i = 0; i < warp_count; i++) {
    Warp* w = warps[i];
    w->block = this;
    w->index = i;
    unsigned lanes = live - n < WARP ? live - n : unsigned(WARP);
    w->live = lanes == WARP ? ~0u : (1u << lanes) - 1;
    w->waiting = w->yielded = w->converging = w->turns = 0;
    w->phase = 0;
    w->lanes.begin();
    w->began = w->live;
    reorder(w);
    w->ready = w->places(w->live);
    ready_warp(w);
    for (unsigned l = 0; l < lanes; l++, n++) {
      Thread* t = &w->threads[l];
      t->index = at_thread;
      if (++at_thread.x == dim.x) {
        at_thread.x = 0;
        if (++at_thread.y == dim.y) at_thread.y = 0, at_thread.z++;
      }
      t->lane = l;
      t->block = this;
      t->warp = w;
      t->wait = WAIT_NOTHING;
      t->budget = BUDGET;
      t->begin_order();
      t->interrupted = t->doubts = false;
      t->awaited = nullptr;
      t->context = fresh_context(w->stacks.top(l));
    }
  }
}

void Block::release_barrier(Thread* self) {
  barrier_result = barrier_kind == BARRIER_COUNT ? static_cast<int>(predicates)
                   : barrier_kind == BARRIER_AND ? predicates == arrived
                                                 : predicates != 0;
  if (arrived < dim.x * dim.y * dim.z) warn_of_returned(worker->job, this);
  next_epoch(warp_count);
  threads.spread();
  arrived = predicates = 0;
  choose_order(static_cast<unsigned>(next_random()), &order, &place);
  ready = 0;
  for (unsigned i = 0; i < warp_count; i++) {
    Warp* w = warps[i];
    unsigned lanes = w->live;
    if (self && self->warp == w) lanes &= ~(1u << self->lane);
    reorder(w);
    w->ready = w->places(lanes);
    if (lanes) ready_warp(w);
  }
}

// Remembers a shuffle from a lane that takes no part.
static void missing_lane(const Thread* t, unsigned source) {
  char* text = t->warp->block->pending;
  if (text[0]) return;
  int n = describe_thread(text, sizeof t->warp->block->pending, t);
  snprintf(text + n, sizeof t->warp->block->pending - static_cast<size_t>(n), "%s:%d: the shuffle reads lane %u, which takes no part in it",
           base_name(t->place.file), t->place.line, source);
}

// Carries out the operation of the lanes in meeting, all of which wait in it.
static void exchange(Warp* w, unsigned meeting, int kind) {
  Word all = 0;
  unsigned rest = meeting;
  unsigned first = static_cast<unsigned>(__builtin_ctz(meeting));
  switch (kind) {
    case MEET_SYNC:
      return;
    case MEET_SHUFFLE:
      for (; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        unsigned source = w->source[lane];
        // A lane that takes no part has an undefined value: all bits set, a NaN.
        w->out[lane] = meeting >> source & 1 ? w->in[source] : ~Word(0);
        if (w->block->writes && !(meeting >> source & 1)) missing_lane(&w->threads[lane], source);
      }
      return;
    case MEET_BALLOT:
      for (; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        if (w->in[lane]) all |= Word(1) << lane;
      }
      break;
    case MEET_MATCH_ANY:
      for (unsigned a = meeting; a; a &= a - 1) {
        int lane = __builtin_ctz(a);
        Word same = 0;
        for (unsigned c = meeting; c; c &= c - 1) {
          int other = __builtin_ctz(c);
          if (w->in[other] == w->in[lane]) same |= Word(1) << other;
        }
        w->out[lane] = same;
      }
      return;
    case MEET_MATCH_ALL:
      all = meeting;
      for (; rest; rest &= rest - 1)
        if (w->in[__builtin_ctz(rest)] != w->in[first]) all = 0;
      break;
    default:
      all = w->in[first];
      for (rest &= rest - 1; rest; rest &= rest - 1) {
        Word v = w->in[__builtin_ctz(rest)];
        long long sv = static_cast<long long>(v), sa = static_cast<long long>(all);
        switch (kind) {
          case MEET_ADD: all += v; break;
          case MEET_MIN: all = v < all ? v : all; break;
          case MEET_MAX: all = v > all ? v : all; break;
          case MEET_MIN_SIGNED: all = sv < sa ? v : all; break;
          case MEET_MAX_SIGNED: all = sv > sa ? v : all; break;
          case MEET_AND: all &= v; break;
          case MEET_OR: all |= v; break;
          case MEET_XOR: all ^= v; break;
        }
      }
  }
  for (rest = meeting; rest; rest &= rest - 1) w->out[__builtin_ctz(rest)] = all;
}

// meet completes the operation that lane has come to if every live lane of its
// mask waits in it, and makes the others ready.
static bool meet(Warp* w, unsigned lane, Thread* self) {
  unsigned mask = w->mask[lane];
  unsigned meeting = mask & w->live;
  if (meeting & ~w->waiting) return false;
  int kind = w->kind[lane];
  for (unsigned rest = meeting; rest; rest &= rest - 1) {
    int other = __builtin_ctz(rest);
    if (w->mask[other] != mask) return false;
    if (w->kind[other] != kind)
      fail("%s:%d: lanes of one warp meet in different operations, others in line %d, with mask 0x%08x", base_name(w->threads[lane].place.file),
           w->threads[lane].place.line, w->threads[other].place.line, mask);
  }
  exchange(w, meeting, kind);
  if (w->block->writes) w->join_clocks(meeting);
  w->phase++;
  w->lanes.spread();
  w->waiting &= ~meeting;
  Block* b = w->block;
  if (!(w->ready | w->yielded) && meeting == w->live) b->reorder(w);
  for (unsigned rest = meeting; rest; rest &= rest - 1) w->threads[__builtin_ctz(rest)].wait = WAIT_NOTHING;
  if (self) meeting &= ~(1u << self->lane);
  w->ready |= w->places(meeting);
  if (meeting) b->ready_warp(w);
  return true;
}

void come_to(Thread* self, Place at) {
  self->place = at;
  self->told = nullptr;
  if (self->doubts) judge_races(self, 0, 0, 0);
  if (self->hears) hear(self);
}

void Block::thread_done(Thread* t) {
  Warp* w = t->warp;
  w->live &= ~(1u << t->lane);
  live--;
  for (unsigned rest = w->waiting; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    if (w->waiting >> lane & 1 && w->mask[lane] >> t->lane & 1) meet(w, lane, nullptr);
  }
  if (arrived && arrived == live) release_barrier(nullptr);
  if (cluster->arrived && cluster->arrived == cluster->live_threads()) cluster->release(nullptr);
}

}  // namespace bench_sim

using namespace bench_sim;

extern "C" {

void bench_sim_thread_main() {
  worker->job->launch->call(worker->job->launch->args);
  Thread* self = current();
  Block* b = self->warp->block;
  if (self->doubts) judge_races(self, 0, 0, 0);
  b->thread_done(self);
  leave(self);
  __builtin_unreachable();
}

Word bench_sim_meet(int kind, unsigned mask, Word value, unsigned source, Place at) {
  Thread* self = current();
  Warp* w = self->warp;
  unsigned lane = self->lane;
  come_to(self, at);
  if (!(mask >> lane & 1)) fail("%s:%d: the mask 0x%08x does not name the calling lane %u", base_name(at.file), at.line, mask, lane);
  w->in[lane] = value;
  w->source[lane] = static_cast<unsigned char>(source);
  w->mask[lane] = mask;
  w->kind[lane] = static_cast<unsigned char>(kind);
  w->waiting |= 1u << lane;
  if (meet(w, lane, self)) {
    if (__builtin_expect(__atomic_load_n(&worker->preempt, __ATOMIC_RELAXED), 0)) w->block->asked(1);
  } else {
    self->wait = WAIT_WARP;
    leave(self);
  }
  return w->out[lane];
}

int bench_sim_barrier(int kind, int predicate, Place at) {
  Thread* self = current();
  Block* b = self->warp->block;
  come_to(self, at);
  if (!b->arrived) {
    b->barrier_place = at;
    b->barrier_kind = kind;
  } else if (b->barrier_place.line != at.line || b->barrier_kind != kind) {
    fail("%s:%d: divergent barrier: others of the block wait at the barrier in line %d", base_name(at.file), at.line, b->barrier_place.line);
  }
  b->arrived++;
  b->predicates += predicate != 0;
  if (b->arrived == b->live) {
    b->release_barrier(self);
    if (__builtin_expect(__atomic_load_n(&worker->preempt, __ATOMIC_RELAXED), 0)) bench_sim_yield();
  } else {
    self->wait = WAIT_BLOCK;
    leave(self);
    self->wait = WAIT_NOTHING;
  }
  return b->barrier_result;
}

void* bench_sim_dynamic_shared() {
  ThreadView* t = bench_sim_current;
  return t ? t->block->dynamic : nullptr;
}

void bench_sim_yield() {
  Thread* self = current();
  Warp* w = self->warp;
  Block* b = w->block;
  self->budget = BUDGET;
  w->yielded |= 1u << w->place[self->lane];
  b->yielded++;
  __atomic_add_fetch(&worker->slice, 1, __ATOMIC_RELAXED);
  leave(self);
}

void bench_sim_give_way(unsigned looks) { give_way(current(), looks, true); }

void bench_sim_fail(const char* what, Place at) { fail("%s:%d: %s", base_name(at.file), at.line, what); }
}
