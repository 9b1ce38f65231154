// How the accesses of a kernel come to their checks.
#pragma once
#include "runtime.h"

namespace bench_sim {

enum { READS = 1, WRITES = 2, STRONG = 4 };

// Checks one access of the running thread; its instruction is before behind.
void check_access(const volatile void* address, unsigned bytes, unsigned kind, void* behind);

}  // namespace bench_sim
