// How a launch ends with an error: the first one is kept.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "runtime.h"
#include "switch.h"

namespace bench_sim {

void report(Job* j, const char* format, ...) {
  int before = 0;
  if (!__atomic_compare_exchange_n(&j->stop, &before, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return;
  va_list args;
  va_start(args, format);
  vsnprintf(j->launch->message, j->launch->message_bytes, format, args);
  va_end(args);
}

void abandon() {
  bench_sim_current = nullptr;
  void* abandoned;
  bench_sim_switch(&abandoned, worker->context);
  __builtin_unreachable();
}

const char* base_name(const char* file) {
  const char* slash = strrchr(file, '/');
  return slash ? slash + 1 : file;
}

int describe_thread(char* text, size_t bytes, const Thread* t) {
  const uint3 &b = t->block->index, &i = t->index;
  return snprintf(text, bytes, "block (%u,%u,%u), thread (%u,%u,%u): ", b.x, b.y, b.z, i.x, i.y, i.z);
}

static void end(const Thread* t, const char* pending, const char* format, va_list args) {
  Job* j = worker->job;
  int before = 0;
  if (!__atomic_compare_exchange_n(&j->stop, &before, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return;
  char* text = j->launch->message;
  size_t bytes = j->launch->message_bytes;
  if (pending) {
    snprintf(text, bytes, "%s", pending);
    return;
  }
  int n = describe_thread(text, bytes, t);
  vsnprintf(text + n, bytes - static_cast<size_t>(n), format, args);
}

static const char* pending(const Job* j, const Block* b) {
  if (b->pending[0]) return b->pending;
  return __atomic_load_n(&j->has_pending, __ATOMIC_ACQUIRE) == 2 ? j->pending : nullptr;
}

// A value that was never written may have led to the failure: it came first.
void fail(const char* format, ...) {
  Thread* t = current();
  va_list args;
  va_start(args, format);
  end(t, pending(worker->job, t->warp->block), format, args);
  va_end(args);
  abandon();
}

void fail_first(const char* format, ...) {
  va_list args;
  va_start(args, format);
  end(current(), nullptr, format, args);
  va_end(args);
  abandon();
}

// CUDA C++ Programming Guide, "Synchronization Functions": the condition that a barrier depends on
// has to be the same for all threads of a block; "Compute Capability 7.x, Independent Thread
// Scheduling": a barrier waits for all that have not returned.
void warn_of_returned(Job* j, const Block* b) {
  if (__atomic_exchange_n(&j->warned, 1, __ATOMIC_SEQ_CST)) return;
  const Warp* w = b->warps[0];
  while (w->live == w->began) w = b->warps[w->index + 1];
  const uint3 &at = b->index, &first = w->threads[__builtin_ctz(w->began & ~w->live)].index;
  const unsigned all = b->dim.x * b->dim.y * b->dim.z;
  snprintf(j->launch->warning, j->launch->message_bytes,
           "block (%u,%u,%u): %s:%d: %u of %u threads returned without coming to this barrier, the first is thread (%u,%u,%u)", at.x, at.y, at.z,
           base_name(b->barrier_place.file), b->barrier_place.line, all - b->arrived, all, first.x, first.y, first.z);
}

// One line per group of threads that wait in the same place.
void report_deadlock(Job* j, Block* b) {
  if (const char* text = pending(j, b)) return report(j, "%s", text);
  char text[1500];
  int n = 0;
  bool seen[MAX_WARPS][WARP] = {};
  unsigned groups = 0;
  for (unsigned i = 0; i < b->warp_count; i++) {
    for (unsigned rest = b->warps[i]->live; rest; rest &= rest - 1) {
      unsigned l = static_cast<unsigned>(__builtin_ctz(rest));
      if (seen[i][l]) continue;
      const Thread& first = b->warps[i]->threads[l];
      unsigned count = 0;
      for (unsigned k = i; k < b->warp_count; k++)
        for (unsigned r = b->warps[k]->live; r; r &= r - 1) {
          unsigned m = static_cast<unsigned>(__builtin_ctz(r));
          const Thread& t = b->warps[k]->threads[m];
          if (t.wait != first.wait || t.place.line != first.place.line) continue;
          if (t.wait == WAIT_WARP && (k != i || b->warps[k]->mask[m] != b->warps[i]->mask[l])) continue;
          seen[k][m] = true;
          count++;
        }
      if (++groups > 4) continue;
      size_t left = sizeof text - static_cast<size_t>(n);
      n += snprintf(text + n, left, "; %u wait%s %s %s:%d", count, count == 1 ? "s" : "",
                    first.wait == WAIT_BLOCK ? "at the barrier of" : first.wait == WAIT_CLUSTER ? "at the cluster barrier of" : "in the warp operation of",
                    base_name(first.place.file), first.place.line);
      if (first.wait == WAIT_WARP) {
        left = sizeof text - static_cast<size_t>(n);
        n += snprintf(text + n, left, " with mask 0x%08x (lanes 0x%08x have not come)", b->warps[i]->mask[l],
                      b->warps[i]->mask[l] & b->warps[i]->live & ~b->warps[i]->waiting);
      }
      left = sizeof text - static_cast<size_t>(n);
      n += snprintf(text + n, left, ", the first is thread (%u,%u,%u)", first.index.x, first.index.y, first.index.z);
    }
  }
  report(j, "block (%u,%u,%u): deadlock: of %u thread%s not returned%s%s", b->index.x, b->index.y, b->index.z,
         b->live, b->live == 1 ? " that has" : "s that have", text, groups > 4 ? "; …" : "");
}

}  // namespace bench_sim
