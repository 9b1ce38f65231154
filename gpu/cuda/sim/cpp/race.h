// Races that may be none: threads that write one value, and the plain first read of a loop
// that compares and swaps.
#pragma once
#include "checks.h"

namespace bench_sim {

// Ends the launch, unless the race may be none: then it is known once the thread goes on. The
// word is at an address, and mask has the bytes that both meet in.
void meet_race(Thread* t, const Race& race, uintptr_t address, unsigned mask);
// Says whether the instruction at an offset is of a line that was declared benign.
bool is_benign(uint64_t offset);
// Before the thread's next access, of these bytes, or what else it does with others: judges the
// races that it left.
void judge_races(Thread* t, uintptr_t address, unsigned bytes, unsigned kind);
// A thread of a block, by their numbers, compares and swaps: its reads of these bytes were right to be plain.
void excuse_reads(unsigned block, unsigned thread, uintptr_t address, unsigned bytes);
// At the end of a launch: what was not excused.
void report_accused(Job* j);

}  // namespace bench_sim
