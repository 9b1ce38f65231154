// Which lanes of a warp are active together.
#include "runtime.h"

namespace bench_sim {

// Lanes take turns, so that those which a GPU runs together come one after the other. Which are active
// is told once no other lane of the warp can come: each waits elsewhere, has returned, or has
// given way again and again. Lanes in different places are not active together, and the place that comes first in
// the source goes first: lanes that leave a loop wait for those that are still in it.
void Warp::converge() {
  enum { PATIENCE = 64 };
  if (yielded && ++turns < PATIENCE) return;
  turns = 0;
  Place at = threads[__builtin_ctz(converging)].place;
  for (unsigned rest = converging; rest; rest &= rest - 1) {
    const Place& other = threads[__builtin_ctz(rest)].place;
    if (other.line < at.line) at = other;
  }
  unsigned together = 0;
  for (unsigned rest = converging; rest; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    if (threads[lane].place.line == at.line && threads[lane].place.file == at.file) together |= 1u << lane;
  }
  for (unsigned rest = together; rest; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    mask[lane] = together;
    threads[lane].wait = WAIT_NOTHING;
  }
  converging &= ~together;
  ready |= places(together);
}

}  // namespace bench_sim

using namespace bench_sim;

extern "C" unsigned bench_sim_active(Place at) {
  Thread* self = current();
  Warp* w = self->warp;
  come_to(self, at);
  self->wait = WAIT_CONVERGE;
  w->converging |= 1u << self->lane;
  leave(self);
  return w->mask[self->lane];
}
