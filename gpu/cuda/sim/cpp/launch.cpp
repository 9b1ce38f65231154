// Worker threads, the blocks that each holds, and the launch itself.
#include <errno.h>
#include <link.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "clock.h"
#include "race.h"
#include "switch.h"

namespace bench_sim {

__thread Worker* worker __attribute__((tls_model("initial-exec")));

enum {
  MAX_WORKERS = 64,
  MAX_GUARDED_STACKS = 16384,  // each costs two of the 65530 mappings that Linux allows a process
  TURNS_BEFORE_NEXT = 16,      // fruitless turns of the resident blocks before another block starts
  TURNS_BEFORE_SLEEP = 256,
  TICK_NS = 250000,            // of the watch for threads that spin
  CHECKED_TICK_NS = 1000000,   // where accesses are checked, until one may be part of a loop that waits, and of a block that is held
  SPINNING_TICK_NS = 50000,    // once one was found
};

static pthread_mutex_t launching = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t begin = PTHREAD_COND_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static Job* job;         // under lock
static unsigned serial;  // of job, under lock
static unsigned wanted;  // workers of job, under lock
static Worker* workers[MAX_WORKERS];
static unsigned worker_count;
static bool watching;
static int guarded_stacks;

// A page lies behind the last stack, so that nothing else is near above a stack pointer.
bool Stacks::prepare(size_t bytes) {
  size_t want = ((bytes + page_bytes() - 1) & ~(page_bytes() - 1)) + page_bytes();
  if (base && stride == want) return true;
  if (base) munmap(base, stride * WARP + page_bytes());
  base = nullptr;
  void* p = mmap(nullptr, want * WARP + page_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return false;
  base = static_cast<char*>(p);
  stride = want;
  if (__atomic_add_fetch(&guarded_stacks, WARP, __ATOMIC_RELAXED) <= MAX_GUARDED_STACKS)
    for (int i = 0; i <= WARP; i++) mprotect(base + stride * static_cast<size_t>(i), page_bytes(), PROT_NONE);
  return true;
}

// Tops are spread over the cache's sets: stacks are a multiple of a page apart.
char* Stacks::top(unsigned lane) const { return base + stride * (lane + 1) - 64 * (lane * 5 % 32); }

Stacks::~Stacks() {
  if (base) munmap(base, stride * WARP + page_bytes());
}

struct Range {
  uintptr_t inside;
  uintptr_t low, high, base;
  uint64_t statics_bytes;
};

static int find_library(dl_phdr_info* info, size_t, void* p) {
  Range* r = static_cast<Range*>(p);
  bool ours = false;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr)& h = info->dlpi_phdr[i];
    uintptr_t low = info->dlpi_addr + h.p_vaddr;
    if (h.p_type == PT_LOAD && h.p_flags & PF_X && r->inside >= low && r->inside < low + h.p_memsz) {
      ours = true;
      r->low = low;
      r->high = low + h.p_memsz;
      r->base = info->dlpi_addr;
    }
  }
  if (!ours) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_TLS) r->statics_bytes = info->dlpi_phdr[i].p_memsz;
  return 1;
}

static Range find(const Launch* l) {
  Range r = {reinterpret_cast<uintptr_t>(l->inside), 0, 0, 0, 0};
  dl_iterate_phdr(find_library, &r);
  return r;
}

static bool prepare_block(Block* b, const Launch* l, Worker* w) {
  b->dim = dim3(l->block[0], l->block[1], l->block[2]);
  b->grid = dim3(l->grid[0], l->grid[1], l->grid[2]);
  unsigned n = (b->dim.x * b->dim.y * b->dim.z + WARP - 1) / WARP;
  for (unsigned i = 0; i < n; i++) {
    if (!b->warps[i]) b->warps[i] = new Warp();
    if (!b->warps[i]->stacks.prepare(l->stack_bytes)) return false;
  }
  size_t statics = w->job->statics_bytes;
  if (statics > b->statics_bytes) {
    free(b->statics);
    b->statics_bytes = 0;
    b->statics = static_cast<char*>(aligned_alloc(256, (statics + 255) & ~size_t(255)));
    if (!b->statics) return false;
    b->statics_bytes = statics;
  }
  size_t pages = (l->shared_bytes + page_bytes() - 1) & ~(page_bytes() - 1);
  if (!b->dynamic_map || pages != b->dynamic_bytes) {
    if (b->dynamic_map) munmap(b->dynamic_map, b->dynamic_bytes + 2 * page_bytes());
    b->dynamic_map = nullptr;
    void* p = mmap(nullptr, pages + 2 * page_bytes(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) return false;
    b->dynamic_map = static_cast<char*>(p);
    b->dynamic_bytes = pages;
    if (pages && mprotect(b->dynamic_map + page_bytes(), pages, PROT_READ | PROT_WRITE)) return false;
  }
  b->dynamic = b->dynamic_map + page_bytes() + pages - ((l->shared_bytes + 15) & ~uint64_t(15));
  if (pages) memset(b->dynamic_map + page_bytes(), 0xff, pages);
  if (l->checks && !b->prepare_shadow(statics, l->shared_bytes)) return false;
  if (!l->checks) b->free_shadow();
  return true;
}

static uint64_t mix(uint64_t x) {  // the finaliser of SplitMix64 (Steele, Lea, Flood 2014)
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

// Starts the next cluster of the grid (a block, where there are no clusters).
static bool claim(Worker* w) {
  Job* j = w->job;
  if (w->resident_count == MAX_RESIDENTS) return false;
  uint64_t n = __atomic_fetch_add(&j->next, 1, __ATOMIC_SEQ_CST);
  if (n >= j->clusters) return false;
  const Launch* l = j->launch;
  Cluster* c = w->spares ? w->spare[--w->spares] : new Cluster();
  c->size = l->cluster[0] * l->cluster[1] * l->cluster[2];
  c->live_blocks = c->size;
  c->arrived = 0;
  w->residents[w->resident_count++] = c;
  uint64_t cx = l->grid[0] / l->cluster[0], cy = l->grid[1] / l->cluster[1];
  unsigned ox = static_cast<unsigned>(n % cx) * l->cluster[0];
  unsigned oy = static_cast<unsigned>(n / cx % cy) * l->cluster[1];
  unsigned oz = static_cast<unsigned>(n / cx / cy) * l->cluster[2];
  for (unsigned r = 0; r < c->size; r++) {
    if (!c->blocks[r]) c->blocks[r] = new Block();
    Block* b = c->blocks[r];
    b->cluster = c;
    b->cluster_size = c->size;
    if (!prepare_block(b, l, w)) {
      report(j, "the simulator has no memory for %u blocks at once: %s", w->resident_count, strerror(errno));
      return false;
    }
    uint3 at = {ox + r % l->cluster[0], oy + r / l->cluster[0] % l->cluster[1], oz + r / l->cluster[0] / l->cluster[1]};
    b->random = mix(l->seed ^ mix(at.x + l->grid[0] * (at.y + uint64_t(l->grid[1]) * at.z))) | 1;
    b->begin(at, r);
    if (b->statics) memset(b->statics, 0xff, j->statics_bytes);
  }
  return true;
}

enum Outcome { FINISHED, YIELDED, IN_CLUSTER_BARRIER, STOPPED };

static Outcome run(Worker* w, Block* b) {
  size_t statics = w->job->statics_bytes;
  if (w->live != b) {
    if (statics && w->live) memcpy(w->live->statics, w->statics, statics);
    if (statics) memcpy(w->statics, b->statics, statics);
    w->live = b;
  }
  b->resume_yielded();
  w->interrupted = false;
  __atomic_store_n(&w->preempt, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&w->holds, b->held != 0, __ATOMIC_RELAXED);
  __atomic_add_fetch(&w->slice, 1, __ATOMIC_RELAXED);
  Thread* t = b->pick();
  if (t) {
    bench_sim_current = t;
    w->block = b;
    bench_sim_switch(&w->context, t->context);
    w->block = nullptr;
    bench_sim_current = nullptr;
  }
  if (__atomic_load_n(&w->job->stop, __ATOMIC_RELAXED)) return STOPPED;
  if (!b->live) {
    // Shared memory of a block that has returned is no longer there.
    if (statics) memset(b->statics, 0xff, statics);
    if (b->cluster_size > 1 && b->dynamic_bytes) memset(b->dynamic_map + page_bytes(), 0xff, b->dynamic_bytes);
    w->live = nullptr;
    __atomic_add_fetch(&w->job->done, 1, __ATOMIC_RELAXED);
    if (b->pending[0]) {
      report(w->job, "%s", b->pending);
      return STOPPED;
    }
    return FINISHED;
  }
  if (b->yielded) return YIELDED;
  if (b->cluster_arrived == b->live) return IN_CLUSTER_BARRIER;
  report_deadlock(w->job, b);
  return STOPPED;
}

static bool claim_another(Worker* w, unsigned share) {
  return w->resident_count * w->residents[0]->size < share && claim(w);
}

// Runs clusters until the grid has no more. Another cluster starts when one
// ends, or when those under way only wait for others.
static void work(Worker* w) {
  Job* j = w->job;
  w->live = nullptr;
  w->resident_count = 0;
  w->statics = nullptr;
  w->statics_bytes = j->statics_bytes;
  w->statics_room = (j->statics_bytes + 15) & ~uint64_t(15);
  w->shared_bytes = j->launch->shared_bytes;
  memset(w->slots, 0, sizeof w->slots);
  w->late_tries = 0;
  w->looks = w->looks_held = 0;
  if (j->launch->statics) w->statics = j->launch->statics() - j->launch->statics_offset;
  unsigned share = (j->launch->resident + j->launch->workers - 1) / j->launch->workers;
  unsigned fruitless = 0;
  while (!__atomic_load_n(&j->stop, __ATOMIC_RELAXED)) {
    if (!w->resident_count && !claim(w)) break;
    bool finished = false;
    for (unsigned i = 0; i < w->resident_count; i++) {
      Cluster* c = w->residents[i];
      bool waiting = true;
      for (unsigned r = 0; r < c->size; r++) {
        Block* b = c->blocks[r];
        if (!b->live) continue;
        unsigned arrived = c->arrived, epoch = b->epoch;
        Outcome o = run(w, b);
        if (o == STOPPED) return;
        if (o == FINISHED) c->live_blocks--;
        if (w->interrupted) claim_another(w, share);  // it kept the worker for long: no use in more turns before the next starts
        if (o != IN_CLUSTER_BARRIER || c->arrived != arrived || b->epoch != epoch) waiting = false;
      }
      if (!c->live_blocks) {
        w->spare[w->spares++] = c;
        w->residents[i--] = w->residents[--w->resident_count];
        finished = true;
      } else if (waiting) {
        for (unsigned r = 0; r < c->size; r++)
          if (c->blocks[r]->live) return report_deadlock(j, c->blocks[r]);
      }
    }
    fruitless = finished ? 0 : fruitless + 1;
    if (fruitless >= TURNS_BEFORE_NEXT && claim_another(w, share)) fruitless = 0;
    if (fruitless >= TURNS_BEFORE_SLEEP) {
      timespec pause = {0, 20000};
      nanosleep(&pause, nullptr);
    } else if (fruitless >= TURNS_BEFORE_NEXT) {
      sched_yield();
    }
  }
}

static void* worker_main(void* p) {
  Worker* w = worker = static_cast<Worker*>(p);
  prepare_signals();
  unsigned seen = 0;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (serial == seen || !job) pthread_cond_wait(&begin, &lock);
    seen = serial;
    if (w->index >= wanted) continue;
    w->job = job;
    pthread_mutex_unlock(&lock);
    work(w);
    while (w->resident_count) w->spare[w->spares++] = w->residents[--w->resident_count];
    pthread_mutex_lock(&lock);
    Job* j = w->job;
    w->job = nullptr;
    if (!--j->running) pthread_cond_signal(&done);
  }
}

// Processor time of a worker, in nanoseconds.
static long long used_by(const Worker* w) {
  clockid_t clock;
  timespec t;
  if (pthread_getcpuclockid(w->thread, &clock) || clock_gettime(clock, &t)) return bench_sim_clock();
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

// Watches for a thread that keeps its worker for itself, as one that spins does: first asks, then interrupts it.
// By processor time, so that other programs do not change which threads of a launch run first.
static void* watch_main(void*) {
  static struct { int slice; long long used; } last[MAX_WORKERS];
  timespec tick = {0, TICK_NS};
  for (;;) {
    pthread_mutex_lock(&lock);
    while (!job) pthread_cond_wait(&begin, &lock);
    if (job->deadline && bench_sim_clock() > job->deadline) __atomic_store_n(&job->late, 1, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < worker_count; i++) {
      Worker* w = workers[i];
      if (!w->job) continue;
      int now = __atomic_load_n(&w->slice, __ATOMIC_RELAXED);
      long long used = used_by(w);
      long long allowed = __atomic_load_n(&w->holds, __ATOMIC_RELAXED) ? static_cast<long>(CHECKED_TICK_NS) : tick.tv_nsec / 2;
      bool keeps = now == last[i].slice && used - last[i].used >= allowed;
      if (w->job->stop || w->job->late || (keeps && __atomic_load_n(&w->preempt, __ATOMIC_RELAXED))) {
        if (!__atomic_exchange_n(&w->interrupting, 1, __ATOMIC_RELAXED)) pthread_kill(w->thread, preempt_signal());
      } else if (keeps) {
        __atomic_store_n(&w->preempt, 1, __ATOMIC_RELAXED);
      }
      if (keeps || now != last[i].slice) last[i] = {now, used};
    }
    tick.tv_nsec = __atomic_load_n(&job->spinning, __ATOMIC_RELAXED) ? SPINNING_TICK_NS : TICK_NS;
    if (job->launch->checks && !__atomic_load_n(&job->waits, __ATOMIC_RELAXED)) tick.tv_nsec = CHECKED_TICK_NS;
    pthread_mutex_unlock(&lock);
    nanosleep(&tick, nullptr);
  }
}

// New threads block every signal, so that the host program's handlers never
// run on them.
static bool start_thread(pthread_t* t, void* (*f)(void*), void* arg) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int err = pthread_create(t, nullptr, f, arg);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return !err;
}

}  // namespace bench_sim

using namespace bench_sim;

extern "C" {

long long bench_sim_clock() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ll + t.tv_nsec;
}

// The threads are started before foreign code runs: where the system refuses
// them, that code is not to blame.
int bench_sim_workers(unsigned n) {
  pthread_mutex_lock(&launching);
  bool started = true;
  while (worker_count < n && worker_count < MAX_WORKERS) {
    Worker* w = new Worker();
    w->index = worker_count;
    started = start_thread(&w->thread, worker_main, w);
    if (!started) {
      delete w;
      break;
    }
    pthread_mutex_lock(&lock);
    workers[worker_count++] = w;
    pthread_mutex_unlock(&lock);
  }
  pthread_t t;
  if (started && !watching) started = watching = start_thread(&t, watch_main, nullptr);
  pthread_mutex_unlock(&launching);
  return started;
}

int bench_sim_launch(Launch* l) {
  pthread_mutex_lock(&launching);
  Job j = {};
  j.launch = l;
  j.time = next_time();
  if (l->limit_ns) j.deadline = bench_sim_clock() + static_cast<long long>(l->limit_ns);
  Range r = find(l);
  j.code_low = r.low;
  j.code_high = r.high;
  j.base = r.base;
  j.statics_bytes = l->statics ? r.statics_bytes : 0;
  j.clusters = uint64_t(l->grid[0] / l->cluster[0]) * (l->grid[1] / l->cluster[1]) * (l->grid[2] / l->cluster[2]);
  unsigned n = l->workers < worker_count ? l->workers : worker_count;
  if (n > j.clusters) n = static_cast<unsigned>(j.clusters);
  l->workers = n;
  begin_clocks(uint64_t(l->grid[0]) * l->grid[1] * l->grid[2]);
  install_handlers();
  pthread_mutex_lock(&lock);
  j.running = wanted = n;
  job = &j;
  serial++;
  pthread_cond_broadcast(&begin);
  while (j.running) pthread_cond_wait(&done, &lock);
  job = nullptr;
  pthread_mutex_unlock(&lock);
  restore_handlers();
  end_clocks();
  report_accused(&j);
  if (j.has_pending) report(&j, "%s", j.pending);
  pthread_mutex_unlock(&launching);
  return j.stop;
}
}
