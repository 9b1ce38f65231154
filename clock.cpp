// Release and acquire between blocks, by words of global memory (CUDA C++ Programming
// Guide, "Memory Fence Functions"; PTX ISA, "Memory Consistency Model"): a write that is
// volatile or atomic publishes what its thread knew at its last fence, and such a read of
// the same word takes it over from the thread's next fence on, or from a barrier or a warp
// operation: what these follow has no fence in NVIDIA's own samples (threadFenceReduction).
// What threads of a block knew at their fences may be published by any of them after a barrier. An atomic update keeps what was
// published before it, as a release sequence does, and so does a plain volatile write, which is more than the model says.
//
// The trees share parts as in U. Mathur, A. Pavlogiannis, H. Tunç, M. Viswanathan, "A Tree
// Clock Data Structure for Causal Orderings in Concurrent Executions", 2022, in which
// joining two clocks also costs only what differs.
#include "clock.h"

#include <stdlib.h>
#include <string.h>

namespace bench_sim {

uint64_t now;

uint64_t next_time() { return __atomic_add_fetch(&now, 1, __ATOMIC_SEQ_CST); }

// A word by which something was published.
struct Signal {
  uintptr_t address;
  unsigned scope;     // 0: the device; otherwise the number of a block and one
  unsigned version;   // counts what was published
  Clock* clock;
  Signal* next;        // of the same bucket
  Signal* later;       // of all
};

enum { BUCKETS = 1 << 14 };
static Signal* buckets[BUCKETS];
static Signal* words;  // all
static unsigned char top_depth;
static Clock* spare;
static pthread_mutex_t mutex = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;  // held for less than a sleep takes

Hold::Hold() {
  if (worker) __atomic_store_n(&worker->busy, 1, __ATOMIC_SEQ_CST);
  pthread_mutex_lock(&mutex);
}

Hold::~Hold() {
  pthread_mutex_unlock(&mutex);
  if (worker) __atomic_store_n(&worker->busy, 0, __ATOMIC_SEQ_CST);
}

static Clock* make(unsigned depth) {
  Clock* c = spare;
  if (c) spare = c->child[0];
  else c = static_cast<Clock*>(malloc(sizeof *c));
  if (!c) abort();
  memset(c, 0, sizeof *c);
  c->refs = 1;
  c->depth = static_cast<unsigned char>(depth);
  return c;
}

static Clock* share(Clock* c) {
  if (c) c->refs++;
  return c;
}

static void drop(Clock* c) {
  if (!c || --c->refs) return;
  if (c->depth)
    for (Clock* child : c->child) drop(child);
  c->child[0] = spare;
  spare = c;
}

// Of two fences, or one and the barrier that spread it, says whether a is the later. Counters
// that have gone round are compared by their distance.
static bool is_later(const Clock* a, const Clock* b) {
  if (a->time != b->time) return a->time > b->time;
  const auto ahead = [](uint16_t i, uint16_t k) { return static_cast<int16_t>(i - k) > 0; };
  return a->epoch != b->epoch ? ahead(a->epoch, b->epoch) : ahead(a->phase, b->phase);
}

// What is known by either.
static Clock* join(Clock* a, Clock* b) {
  if (a == b || !b) return share(a);
  if (!a) return share(b);
  Clock* c = make(a->depth);
  const Clock* top = is_later(b, a) ? b : a;
  c->time = top->time;
  c->epoch = top->epoch;
  c->phase = top->phase;
  bool is_a = top == a || !is_later(b, a), is_b = top == b || !is_later(a, b);
  for (int i = 0; i < FAN; i++) {
    if (a->depth) c->child[i] = join(a->child[i], b->child[i]);
    else c->lane[i] = a->lane[i] > b->lane[i] ? a->lane[i] : b->lane[i];
    is_a = is_a && c->lane[i] == a->lane[i];
    is_b = is_b && c->lane[i] == b->lane[i];
  }
  if (!is_a && !is_b) return c;
  drop(c);
  return share(is_a ? a : b);
}

static void add(Clock*& to, Clock* more) {
  if (!more || to == more) return;
  Clock* c = join(to, more);
  drop(to);
  to = c;
}

// To the clocks of a scope and of those in it, which are mostly one.
static void add(Clock* (&to)[SCOPES], int scope, Clock* more) {
  const Clock* old = to[scope];
  add(to[scope], more);
  for (int s = scope + 1; s < SCOPES; s++) {
    if (to[s] != old) {
      add(to[s], more);
      continue;
    }
    drop(to[s]);
    to[s] = share(to[scope]);
  }
}

// A clock that knows of one block alone, whose own part is to be filled.
static Clock* of_block(unsigned number, Clock** block) {
  Clock* root = make(top_depth);
  Clock* c = root;
  while (c->depth > 1) c = c->child[number >> 5 * (c->depth - 2) & (FAN - 1)] = make(c->depth - 1u);
  *block = c;
  return root;
}

void begin_clocks(unsigned long long blocks) {
  top_depth = 1;
  if (blocks > 1 << 20) blocks = 1 << 20;  // as a Touch counts them
  for (unsigned long long room = 1; room < blocks; room *= FAN) top_depth++;
}

void end_clocks() {
  Hold h;
  while (words) {
    Signal* w = words;
    words = w->later;
    buckets[w->address / 4 % BUCKETS] = nullptr;
    drop(w->clock);
    free(w);
  }
}

static void assign(Heard& to, const Heard& from) {
  to.time = from.time;
  if (to.clock == from.clock) return;
  Hold h;
  drop(to.clock);
  to.clock = share(from.clock);
}

static void assign(Clock*& to, Clock* from) {
  if (to == from) return;
  Hold h;
  drop(to);
  to = share(from);
}

void Together::begin() {
  assign(heard, Heard{});
  assign(known, Heard{});
  for (int s = DEVICE; s < SCOPES; s++) {
    assign(fenced[s], nullptr);
    assign(fences_known[s], nullptr);
  }
}

void Together::spread() {
  assign(known, heard);
  for (int s = DEVICE; s < SCOPES; s++) assign(fences_known[s], fenced[s]);
}

void Thread::begin_order() {
  assign(heard, Heard{});
  assign(pending, nullptr);
  for (Clock*& c : fenced) assign(c, nullptr);
  told = learnt_from = nullptr;
  hears = 0;
}

void fence(Thread* t, Scope scope) {
  if (t->hears) hear(t);
  Warp* w = t->warp;
  Block* b = w->block;
  t->told = nullptr;
  Hold h;
  if (t->pending) {
    add(t->heard.clock, t->pending);
    drop(t->pending);
    t->pending = nullptr;
  }
  Clock* part;
  Clock* c = of_block(b->number & ((1u << 20) - 1), &part);
  Clock* lanes = part->child[w->index] = make(0);
  part->time = lanes->time = lanes->lane[t->lane] = next_time();
  part->epoch = lanes->epoch = static_cast<uint16_t>(b->epoch);
  lanes->phase = static_cast<uint16_t>(w->phase);
  add(c, t->heard.clock);
  add(c, w->lanes.known.clock);
  add(c, b->threads.known.clock);
  for (int s = scope; s < SCOPES; s++) {
    drop(t->fenced[s]);
    t->fenced[s] = share(c);
  }
  add(w->lanes.fenced, scope, c);
  add(b->threads.fenced, scope, c);
  drop(c);
}

static Signal* find(uintptr_t address, unsigned scope) {
  Signal* w = __atomic_load_n(&buckets[address / 4 % BUCKETS], __ATOMIC_ACQUIRE);
  while (w && (w->address != address || w->scope != scope)) w = w->next;
  return w;
}

static void publish_word(Thread* t, uintptr_t address, Scope scope) {
  const Block* b = t->warp->block;
  const unsigned number = scope == DEVICE ? 0 : b->number + 1;
  Signal* w = find(address, number);
  if (w && t->told == w) return;
  Hold h;
  if (!w && !(w = find(address, number))) {
    w = static_cast<Signal*>(calloc(1, sizeof *w));
    if (!w) abort();
    w->address = address;
    w->scope = number;
    Signal** bucket = &buckets[address / 4 % BUCKETS];
    w->next = *bucket;
    w->later = words;
    words = w;
    __atomic_store_n(bucket, w, __ATOMIC_RELEASE);
  }
  add(w->clock, t->fenced[scope]);
  add(w->clock, t->warp->lanes.fences_known[scope]);
  add(w->clock, b->threads.fences_known[scope]);
  t->told = w;
  __atomic_add_fetch(&w->version, 1, __ATOMIC_RELEASE);
}

void publish(Thread* t, uintptr_t address, unsigned bytes) {
  Clock *const *own = t->fenced, *const *warp = t->warp->lanes.fences_known, *const *all = t->warp->block->threads.fences_known;
  const bool device = own[DEVICE] || warp[DEVICE] || all[DEVICE];
  const bool block = own[BLOCK] != own[DEVICE] || warp[BLOCK] != warp[DEVICE] || all[BLOCK] != all[DEVICE];
  for (uintptr_t word = address & ~uintptr_t(3); word < address + bytes; word += 4) {
    if (device) publish_word(t, word, DEVICE);
    if (block) publish_word(t, word, BLOCK);
  }
}

static void learn_word(Thread* t, uintptr_t address, unsigned scope) {
  Signal* w = find(address, scope);
  if (!w) return;
  unsigned version = __atomic_load_n(&w->version, __ATOMIC_ACQUIRE);
  if (t->learnt_from == w && t->learnt_version == version) return;
  Hold h;
  t->learnt_from = w;
  t->learnt_version = version;
  add(t->pending, w->clock);
  add(t->warp->lanes.heard.clock, w->clock);
  add(t->warp->block->threads.heard.clock, w->clock);
}

// An access is announced before it happens, so what it hears of is known after it.
void hear(Thread* t) {
  const uintptr_t address = t->hears;
  t->hears = 0;
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  t->heard.time = t->warp->lanes.heard.time = t->warp->block->threads.heard.time = __atomic_load_n(&now, __ATOMIC_RELAXED);
  if (!__atomic_load_n(&words, __ATOMIC_RELAXED)) return;
  for (uintptr_t word = address & ~uintptr_t(3); word < address + t->hears_bytes; word += 4) {
    learn_word(t, word, 0);
    learn_word(t, word, t->warp->block->number + 1);
  }
}

void learn_cluster(Cluster* c, uint64_t time) {
  Hold h;
  Clock *all = nullptr, *fenced[SCOPES] = {};
  for (unsigned i = 0; i < c->size; i++) {
    Block* b = c->blocks[i];
    Clock* part;
    Clock* own = of_block(b->number & ((1u << 20) - 1), &part);
    part->time = time;
    part->epoch = static_cast<uint16_t>(b->epoch);
    add(all, own);
    drop(own);
    add(all, b->threads.heard.clock);
    for (int s = DEVICE; s < SCOPES; s++) add(fenced[s], b->threads.fenced[s]);
  }
  for (unsigned i = 0; i < c->size; i++) {
    Together& t = c->blocks[i]->threads;
    for (int s = DEVICE; s < SCOPES; s++) {
      add(t.fenced[s], fenced[s]);
      add(t.fences_known[s], fenced[s]);
    }
    drop(t.heard.clock);
    drop(t.known.clock);
    t.heard = Heard{time, share(all)};
    t.known = Heard{time, share(all)};
  }
  drop(all);
  for (Clock* c : fenced) drop(c);
}

}  // namespace bench_sim
