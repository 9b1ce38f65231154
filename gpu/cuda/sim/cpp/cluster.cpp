// Blocks of one cluster: their barrier, and each other's shared memory. The barrier of the grid.
#include "clock.h"

namespace bench_sim {

unsigned Cluster::live_threads() const {
  unsigned n = 0;
  for (unsigned i = 0; i < size; i++) n += blocks[i]->live;
  return n;
}

void Cluster::release(Thread* self) {
  arrived = 0;
  uint64_t time = next_time();
  for (unsigned i = 0; i < size; i++) {
    Block* b = blocks[i];
    b->cluster_arrived = 0;
    b->next_epoch(b->warp_count);
    for (unsigned k = 0; k < b->warp_count; k++) {
      Warp* w = b->warps[k];
      unsigned lanes = w->live;
      if (self && self->warp == w) lanes &= ~(1u << self->lane);
      b->reorder(w);
      w->ready = w->places(lanes);
      if (lanes) b->ready_warp(w);
      for (; lanes; lanes &= lanes - 1) w->threads[__builtin_ctz(lanes)].wait = WAIT_NOTHING;
    }
  }
  if (worker->job->launch->checks) learn_cluster(this, time);
}

}  // namespace bench_sim

using namespace bench_sim;

extern "C" {

void bench_sim_cluster_barrier(Place at) {
  Thread* self = current();
  Block* b = self->warp->block;
  Cluster* c = b->cluster;
  come_to(self, at);
  b->cluster_arrived++;
  if (++c->arrived == c->live_threads()) {
    c->release(self);
  } else {
    self->wait = WAIT_CLUSTER;
    leave(self);
  }
}

// Between two barriers of the block one thread waits for the other blocks. What was before is past for all.
void bench_sim_grid_barrier(Place at) {
  Job* j = worker->job;
  const Launch* l = j->launch;
  if (!l->cooperative) fail("%s:%d: a barrier of the grid needs a cooperative launch: \"cooperative\": true", base_name(at.file), at.line);
  bench_sim_barrier(BARRIER_PLAIN, 0, at);
  Block* b = current()->warp->block;
  if (b->grid_epoch != b->epoch) {
    b->grid_epoch = b->epoch;
    const uint64_t round = __atomic_load_n(&j->grid_round, __ATOMIC_SEQ_CST);
    if (__atomic_add_fetch(&j->grid_arrived, 1, __ATOMIC_SEQ_CST) == uint64_t(l->grid[0]) * l->grid[1] * l->grid[2]) {
      j->grid_arrived = 0;
      j->grid_time = next_time();
      __atomic_store_n(&j->grid_round, round + 1, __ATOMIC_SEQ_CST);
    } else {
      while (__atomic_load_n(&j->grid_round, __ATOMIC_SEQ_CST) == round) {
        if (__atomic_load_n(&j->late, __ATOMIC_RELAXED)) {
          j->launch->late = 1;
          fail("%s:%d: still here after %g s: a block that does not come to this barrier of the grid?", base_name(at.file), at.line, static_cast<double>(l->limit_ns) * 1e-9);
        }
        bench_sim_yield();
      }
    }
    b->since = j->grid_time;
  }
  bench_sim_barrier(BARRIER_PLAIN, 0, at);
}

void* bench_sim_cluster_map(void* shared, unsigned rank, Place at) {
  Block* b = current()->warp->block;
  Cluster* c = b->cluster;
  if (rank >= c->size) fail("%s:%d: rank %u in a cluster of %u block%s", base_name(at.file), at.line, rank, c->size, c->size == 1 ? "" : "s");
  Block* other = c->blocks[rank];
  if (other == b) return shared;
  char* p = static_cast<char*>(shared);
  char* own = static_cast<char*>(b->dynamic);
  if (p >= own && p < own + worker->job->launch->shared_bytes) return static_cast<char*>(other->dynamic) + (p - own);
  if (p >= worker->statics && p < worker->statics + worker->job->statics_bytes) return other->statics + (p - worker->statics);
  fail("%s:%d: %p is not in the block's shared memory", base_name(at.file), at.line, shared);
}
}
