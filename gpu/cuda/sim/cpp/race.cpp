// A race is none where order makes no difference. Threads may write one value to a word, as they
// do to set a flag: the word is the same after each write. And the loop that every guide has for an
// atomic operation that there is none for reads a word plainly before it compares and swaps: what
// was read is compared. Between the read and the swap the thread may only read.
#include "race.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"

namespace bench_sim {

static const char* verb(bool writes) { return writes ? "writes" : "reads"; }

static void describe(char* text, size_t bytes, const Race& r) {
  const Job* j = worker->job;
  const Block* b = current()->warp->block;
  const unsigned thread = r.global ? r.touch.thread() : r.access.thread(), number = r.global ? r.touch.block() : b->number;
  const unsigned long long pc = r.global ? r.touch.pc() : r.access.pc();
  const unsigned x = b->dim.x, y = b->dim.y;
  char block[48] = "";
  if (number != (b->number & ((1u << 20) - 1)))
    snprintf(block, sizeof block, "block (%u,%u,%u), ", number % b->grid.x, number / b->grid.x % b->grid.y, number / b->grid.x / b->grid.y);
  snprintf(text, bytes, "{pc %llx}: race on %s memory: it %s what %sthread (%u,%u,%u) %s in {pc %llx}, %s", static_cast<unsigned long long>(code_offset(j, r.pc - 1)),
           r.global ? "global" : "shared", verb(r.kind & WRITES), block, thread % x, thread / x % y, thread / x / y, verb(r.other_writes), pc ? pc - 1 : 0,
           r.global ? "in no order" : "with no barrier between");
}

static void __attribute__((noreturn, noinline)) fail_race(const Race& r) {
  char text[240];
  describe(text, sizeof text, r);
  fail_first("%s", text);
}

static uint32_t word_at(uintptr_t address) {
  return __atomic_load_n(reinterpret_cast<const uint32_t*>(address), __ATOMIC_RELAXED);
}

// What another worker is about to write has been announced, and comes within a few instructions.
static void let_others_write() {
  for (int i = 0; i < 16; i++) sched_yield();
}

static Doubt& doubt_of(Thread* t) { return t->warp->doubts[t->lane]; }

static void expect_same(Thread* t, const Race& r, uintptr_t address, unsigned mask) {
  Same& s = doubt_of(t).same;
  if (!t->doubts) s.words = 0;
  if (s.words && s.address[s.words - 1] == address) {
    s.mask[s.words - 1] |= static_cast<unsigned char>(mask);
    return;
  }
  if (s.words == Same::WORDS) fail_race(r);
  if (r.global && r.touch.block() != (t->warp->block->number & ((1u << 20) - 1)) && !r.touch.wrote()) let_others_write();
  if (!s.words) doubt_of(t).race = r;
  s.address[s.words] = address;
  s.value[s.words] = word_at(address);
  s.mask[s.words++] = static_cast<unsigned char>(mask);
  t->doubts = true;
}

static void expect_compare(Thread* t, const Race& r, uintptr_t address) {
  Doubt& d = doubt_of(t);
  if (t->doubts && d.read != address && d.read + 4 != address) fail_race(r);
  if (!t->doubts) {
    d.same.words = 0;
    d.read = address;
    d.race = r;
  }
  t->doubts = true;
}

// The reader's address, block and thread: of shared memory, the block's own.
static void accuse(const Thread* t, const Race& r, uintptr_t address) {
  Job* j = worker->job;
  Accused a;
  a.address = address;
  a.block = r.global ? r.touch.block() : t->warp->block->number & ((1u << 20) - 1);
  a.thread = r.global ? r.touch.thread() : r.access.thread();
  int n = describe_thread(a.text, sizeof a.text, t);
  describe(a.text + n, sizeof a.text - static_cast<size_t>(n), r);
  bool full;
  {
    Hold h;
    for (unsigned i = 0; i < j->accused_count; i++) {  // a reader that is late is met by many
      const Accused& had = j->accused[i];
      if (had.address == a.address && had.block == a.block && had.thread == a.thread) return;
    }
    full = j->accused_count == Job::MOST_ACCUSED;
    if (!full) {
      j->accused[j->accused_count] = a;
      __atomic_store_n(&j->accused_count, j->accused_count + 1, __ATOMIC_SEQ_CST);
    }
  }
  if (full) fail_race(r);
}

void excuse_reads(unsigned block, unsigned thread, uintptr_t address, unsigned bytes) {
  Job* j = worker->job;
  if (!__atomic_load_n(&j->accused_count, __ATOMIC_SEQ_CST)) return;
  Hold h;
  unsigned kept = 0;
  for (unsigned i = 0; i < j->accused_count; i++) {
    const Accused& a = j->accused[i];
    if (a.address - address < bytes && a.block == block && a.thread == thread) continue;
    if (kept != i) j->accused[kept] = a;
    kept++;
  }
  __atomic_store_n(&j->accused_count, kept, __ATOMIC_SEQ_CST);
}

void report_accused(Job* j) {
  if (j->accused_count) report(j, "%s", j->accused[0].text);
}

bool is_benign(uint64_t offset) {
  const Launch* l = worker->job->launch;
  for (uint64_t i = 0; i < l->benign_count; i++)
    if (offset >= l->benign[i].low && offset < l->benign[i].high) return true;
  return false;
}

void meet_race(Thread* t, const Race& r, uintptr_t address, unsigned mask) {
  const uint64_t other = r.global ? r.touch.pc() : r.access.pc();
  if (is_benign(code_offset(worker->job, r.pc - 1)) || (other && is_benign(other - 1))) return;
  if (r.kind == WRITES && r.other_writes && !r.other_strong()) return expect_same(t, r, address, mask);
  if (r.kind == READS && r.other_writes && r.other_strong()) return expect_compare(t, r, address);
  if (r.kind & COMPARES && !r.other_writes) return accuse(t, r, address);
  fail_race(r);
}

void judge_races(Thread* t, uintptr_t address, unsigned bytes, unsigned kind) {
  const Doubt& d = doubt_of(t);
  const Same& s = d.same;
  for (unsigned i = 0; i < s.words; i++) {
    uint32_t change = word_at(s.address[i]) ^ s.value[i];
    for (unsigned k = 0; k < 4; k++)
      if (s.mask[i] >> k & 1 && change >> 8 * k & 0xff) fail_race(d.race);
  }
  if (!s.words) {
    if (kind == READS) return;  // what it read plainly is still to be compared
    if (!(kind & COMPARES) || d.read - address >= bytes) fail_race(d.race);
  }
  t->doubts = false;
}

}  // namespace bench_sim
