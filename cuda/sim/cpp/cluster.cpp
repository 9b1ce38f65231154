// Blocks of one cluster: their barrier, and each other's shared memory.
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
