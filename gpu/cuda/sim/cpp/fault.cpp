// Signals of the worker threads: a fault in a kernel becomes the launch's
// error, and a thread that spins is made to let others run. The handlers are
// in place during a launch only; a fault of any other thread goes to the
// handler that the process had.
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "runtime.h"

namespace bench_sim {

enum {
  ALTERNATE_STACK = 65536,
  LOOKS = 128,         // of a wait in the shortest tick of the watch
  LOOKS_HELD = 2560,   // in what a block that is held has
  PATIENCE = 2000,     // interrupts outside the kernel library until its place is guessed from the stack
};

enum { FAULTS = 5 };
static const int faults[FAULTS] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
static struct sigaction before[FAULTS];

int preempt_signal() { return SIGRTMAX - 3; }

static uintptr_t program_counter(void* context) {
  ucontext_t* u = static_cast<ucontext_t*>(context);
#if defined(__x86_64__)
  return static_cast<uintptr_t>(u->uc_mcontext.gregs[REG_RIP]);
#else
  return u->uc_mcontext.pc;
#endif
}

// The signals that a worker takes.
static void open_signals() {
  sigset_t open;
  sigemptyset(&open);
  for (int signal : faults) sigaddset(&open, signal);
  sigaddset(&open, preempt_signal());
  pthread_sigmask(SIG_UNBLOCK, &open, nullptr);
}

static void on_fault(int signal, siginfo_t* info, void* context) {
  if (!worker || !worker->block || !bench_sim_current) {
    for (int i = 0; i < FAULTS; i++) {
      if (faults[i] != signal) continue;
      if (before[i].sa_flags & SA_SIGINFO && before[i].sa_sigaction) return before[i].sa_sigaction(signal, info, context);
      sigaction(signal, &before[i], nullptr);  // the fault recurs under the old action
    }
    return;
  }
  open_signals();  // this handler does not return
  Thread* t = current();
  const Stacks& s = t->warp->stacks;
  uintptr_t address = reinterpret_cast<uintptr_t>(info->si_addr);
  uintptr_t low = reinterpret_cast<uintptr_t>(s.base) + s.stride * t->lane;
  unsigned long long pc = code_offset(worker->job, program_counter(context));
  switch (signal) {
    case SIGFPE:   // of x86-64
    case SIGTRAP:  // of aarch64, see machineFlags in package sim
      fail("{pc %llx}: integer division by zero", pc);
    case SIGILL:
      fail("{pc %llx}: illegal instruction (a branch that the compiler took for unreachable?)", pc);
  }
  if (address >= low && address < low + page_bytes())
    fail("{pc %llx}: stack overflow: the thread's local variables need more than %zu bytes", pc, s.stride - page_bytes());
  const Block* b = t->warp->block;
  uintptr_t map = reinterpret_cast<uintptr_t>(b->dynamic_map);
  if (address >= map && address < map + b->dynamic_bytes + 2 * page_bytes())
    fail("{pc %llx}: access at {dynamic %llx}", pc, static_cast<unsigned long long>(address - reinterpret_cast<uintptr_t>(b->dynamic)));
  fail("{pc %llx}: access at {at %llx}", pc, static_cast<unsigned long long>(address));
}

// A return address into the kernel library near the top of the thread's stack.
static uintptr_t caller(const Job* j, void* context) {
  ucontext_t* u = static_cast<ucontext_t*>(context);
#if defined(__x86_64__)
  const uintptr_t* sp = reinterpret_cast<const uintptr_t*>(u->uc_mcontext.gregs[REG_RSP]);
#else
  const uintptr_t* sp = reinterpret_cast<const uintptr_t*>(u->uc_mcontext.sp);
#endif
  const Thread* t = current();
  const uintptr_t* top = reinterpret_cast<const uintptr_t*>(t->warp->stacks.top(t->lane));
  for (int i = 0; i < 256 && sp + i < top; i++)
    if (code_offset(j, sp[i])) return sp[i] - 1;
  return 0;
}

void fail_late(uintptr_t pc) {
  Job* j = worker->job;
  j->launch->late = 1;
  const unsigned long long blocks = uint64_t(j->launch->grid[0]) * j->launch->grid[1] * j->launch->grid[2], done = __atomic_load_n(&j->done, __ATOMIC_RELAXED);
  if (done)  // then it may be only slow
    fail("{pc %llx}: still here after %g s, with %llu of %llu blocks done: slow, or an endless loop?", static_cast<unsigned long long>(code_offset(j, pc)),
         static_cast<double>(j->launch->limit_ns) * 1e-9, done, blocks);
  fail("{pc %llx}: still here after %g s: an endless loop?", static_cast<unsigned long long>(code_offset(j, pc)), static_cast<double>(j->launch->limit_ns) * 1e-9);
}

static void on_preempt(int, siginfo_t*, void* context) {
  if (!worker) return;
  __atomic_store_n(&worker->interrupting, 0, __ATOMIC_RELAXED);
  if (!worker->block || !bench_sim_current || __atomic_load_n(&worker->busy, __ATOMIC_RELAXED)) return;
  Job* j = worker->job;
  uintptr_t pc = program_counter(context);
  Thread* t = current();
  // A thread in its first turn may have come there just now.
  if (__atomic_load_n(&j->late, __ATOMIC_RELAXED) && (t->interrupted || !code_offset(j, pc))) {
    if (!code_offset(j, pc)) {
      if (++worker->late_tries < PATIENCE) return;  // most loops are soon met in the kernel itself
      pc = caller(j, context);
      if (!pc) return;
    }
    fail_late(pc);
  }
  if (!code_offset(j, pc)) return;
  int saved = errno;
  if (__atomic_load_n(&j->stop, __ATOMIC_RELAXED)) abandon();
  worker->interrupted = t->interrupted = true;
  if (!j->launch->checks || __atomic_load_n(&j->waits, __ATOMIC_RELAXED)) __atomic_store_n(&j->spinning, 1, __ATOMIC_RELAXED);
  Block* b = t->warp->block;
  b->asked(b->held ? LOOKS_HELD : LOOKS);
  errno = saved;
}

// The fault handler blocks all signals, as the Go runtime wants it of a handler
// that calls its own (package os/signal, "Non-Go programs that call Go code").
// The interrupt blocks none, because other fibers run before it returns; its
// handler stays: a signal may be under way to a worker when a launch ends.
void install_handlers() {
  struct sigaction a;
  memset(&a, 0, sizeof a);
  sigfillset(&a.sa_mask);
  a.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  a.sa_sigaction = on_fault;
  for (int i = 0; i < FAULTS; i++) sigaction(faults[i], &a, &before[i]);
  sigemptyset(&a.sa_mask);
  a.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;  // on the fiber's own stack
  a.sa_sigaction = on_preempt;
  sigaction(preempt_signal(), &a, nullptr);
}

void restore_handlers() {
  for (int i = 0; i < FAULTS; i++) sigaction(faults[i], &before[i], nullptr);
}

void prepare_signals() {
  stack_t s;
  memset(&s, 0, sizeof s);
  s.ss_size = ALTERNATE_STACK;
  s.ss_sp = mmap(nullptr, s.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  sigaltstack(&s, nullptr);
  open_signals();
}

}  // namespace bench_sim
