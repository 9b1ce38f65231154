// How the accesses of a kernel come to their checks.
#pragma once
#include "runtime.h"

namespace bench_sim {

// EXCHANGES: a write that gives what was there, of which nothing need be known. COMPARES: it
// is done if there was what the thread expected. UPDATES: it depends on what was there, and whether the
// thread uses that is told by bench_sim_former.
enum { READS = 1, WRITES = 2, STRONG = 4, EXCHANGES = 8, COMPARES = 16, UPDATES = 32 };

// Checks one access of the running thread; its instruction is before behind.
void check_access(const volatile void* address, unsigned bytes, unsigned kind, void* behind);

// Says whether an address is near above the stack pointer: of a variable of the
// thread's own. See Stacks.
__attribute__((always_inline)) inline bool is_local(const volatile void* address) {
  enum { NEAR = 4096 };  // at most a page
  uintptr_t sp;
#if defined(__x86_64__)
  asm volatile("movq %%rsp, %0" : "=r"(sp));
#else
  asm volatile("mov %0, sp" : "=r"(sp));
#endif
  return reinterpret_cast<uintptr_t>(address) - sp < NEAR;
}

}  // namespace bench_sim
