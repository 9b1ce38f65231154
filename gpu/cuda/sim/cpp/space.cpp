// What memory a pointer points to.
#include "runtime.h"

using namespace bench_sim;

extern "C" {

// Dynamic shared memory lies behind the static part.
unsigned long bench_sim_shared_offset(const void* p) {
  const uintptr_t a = reinterpret_cast<uintptr_t>(p);
  const size_t at = a - reinterpret_cast<uintptr_t>(worker->statics);
  return at < worker->statics_bytes ? at : a - reinterpret_cast<uintptr_t>(current()->warp->block->dynamic) + worker->statics_room;
}

void* bench_sim_shared_place(unsigned long offset) {
  return offset < worker->statics_room ? worker->statics + offset : static_cast<char*>(current()->warp->block->dynamic) + (offset - worker->statics_room);
}

int bench_sim_space(const void* p) {
  const Thread* t = current();
  const Stacks& s = t->warp->stacks;
  const char* a = static_cast<const char*>(p);
  if (bench_sim_shared_offset(p) < worker->statics_room + worker->shared_bytes) return SPACE_SHARED;
  return a >= s.base + s.stride * t->lane && a < s.base + s.stride * (t->lane + 1) ? SPACE_LOCAL : SPACE_GLOBAL;
}
}
