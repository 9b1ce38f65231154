// How a launch ends with an error: the first one is kept.
#include <stdarg.h>
#include <stdio.h>

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

static uint64_t offset(const Job* j, uintptr_t pc) { return pc >= j->code_low && pc < j->code_high ? pc - j->base : 0; }

void fail(const char* format, ...) {
  Thread* t = current();
  Job* j = worker->job;
  int before = 0;
  if (__atomic_compare_exchange_n(&j->stop, &before, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    const uint3 &b = t->block->index, &i = t->index;
    int n = snprintf(j->launch->message, j->launch->message_bytes, "block (%u,%u,%u), thread (%u,%u,%u): ", b.x, b.y, b.z, i.x, i.y, i.z);
    va_list args;
    va_start(args, format);
    vsnprintf(j->launch->message + n, j->launch->message_bytes - static_cast<size_t>(n), format, args);
    va_end(args);
  }
  abandon();
}

bool record_fault(Fault kind, uintptr_t address, uintptr_t pc) {
  Job* j = worker->job;
  int before = 0;
  if (!__atomic_compare_exchange_n(&j->stop, &before, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return false;
  const Thread* t = current();
  Launch* l = j->launch;
  l->fault = kind;
  l->fault_address = address;
  l->fault_pc = offset(j, pc);
  const uint3 &b = t->block->index, &i = t->index;
  l->fault_block[0] = b.x, l->fault_block[1] = b.y, l->fault_block[2] = b.z;
  l->fault_thread[0] = i.x, l->fault_thread[1] = i.y, l->fault_thread[2] = i.z;
  return true;
}

void report_race(Thread* t, const Access& now, bool writes, const Access& other, bool other_writes) {
  if (record_fault(FAULT_RACE, 0, now.pc)) {
    Job* j = worker->job;
    Launch* l = j->launch;
    l->other_pc = offset(j, other.pc);
    const uint3& i = t->warp->block->warps[other.thread / WARP]->threads[other.thread % WARP].index;
    l->other_thread[0] = i.x, l->other_thread[1] = i.y, l->other_thread[2] = i.z;
    l->writes = (writes ? 1 : 0) | (other_writes ? 2 : 0);
  }
  abandon();
}

// One line per group of threads that wait in the same place.
void report_deadlock(Job* j, Block* b) {
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
          if (t.wait != first.wait || t.line != first.line) continue;
          if (t.wait == WAIT_WARP && (k != i || b->warps[k]->mask[m] != b->warps[i]->mask[l])) continue;
          seen[k][m] = true;
          count++;
        }
      if (++groups > 4) continue;
      size_t left = sizeof text - static_cast<size_t>(n);
      n += snprintf(text + n, left, "; %u wait %s line %d", count,
                    first.wait == WAIT_BLOCK ? "at the barrier in" : first.wait == WAIT_CLUSTER ? "at the cluster barrier in" : "in the warp operation in", first.line);
      if (first.wait == WAIT_WARP) {
        left = sizeof text - static_cast<size_t>(n);
        n += snprintf(text + n, left, " with mask 0x%08x (lanes 0x%08x have not come)", b->warps[i]->mask[l],
                      b->warps[i]->mask[l] & b->warps[i]->live & ~b->warps[i]->waiting);
      }
      left = sizeof text - static_cast<size_t>(n);
      n += snprintf(text + n, left, ", the first is thread (%u,%u,%u)", first.index.x, first.index.y, first.index.z);
    }
  }
  report(j, "block (%u,%u,%u): deadlock: of %u threads that have not returned%s%s", b->index.x, b->index.y, b->index.z,
         b->live, text, groups > 4 ? "; …" : "");
}

}  // namespace bench_sim
