// What kernels call that are compiled to be checked: by g++ -fsanitize=thread the
// functions that ThreadSanitizer would have, before every access, and by
// -fsanitize=bounds,alignment,return those of UndefinedBehaviorSanitizer, where an
// index, a pointer or the end of a function is wrong. Package sim links these instead.
#include <string.h>

#include "quick.h"

using namespace bench_sim;

#pragma GCC visibility push(default)

template <unsigned BYTES, unsigned KIND>
__attribute__((always_inline)) static inline void full_check(const volatile void* p, void* behind) {
  if (!is_local(p)) check_access(p, BYTES, KIND, behind);
}

#define PC __builtin_extract_return_addr(__builtin_return_address(0))
#define HOOKS(bytes, check)                                                                                        \
  extern "C" void __tsan_read##bytes(void* p) { check<bytes, READS>(p, PC); }                                      \
  extern "C" void __tsan_write##bytes(void* p) { check<bytes, WRITES>(p, PC); }                                    \
  extern "C" void __tsan_unaligned_read##bytes(void* p) { full_check<bytes, READS>(p, PC); }                       \
  extern "C" void __tsan_unaligned_write##bytes(void* p) { full_check<bytes, WRITES>(p, PC); }                     \
  extern "C" void __tsan_volatile_read##bytes(void* p) { full_check<bytes, READS | STRONG>(p, PC); }               \
  extern "C" void __tsan_volatile_write##bytes(void* p) { full_check<bytes, WRITES | STRONG>(p, PC); }             \
  extern "C" void __tsan_unaligned_volatile_read##bytes(void* p) { full_check<bytes, READS | STRONG>(p, PC); }     \
  extern "C" void __tsan_unaligned_volatile_write##bytes(void* p) { full_check<bytes, WRITES | STRONG>(p, PC); }
HOOKS(1, full_check)
HOOKS(2, full_check)
HOOKS(4, quick_check)
HOOKS(8, quick_check)
HOOKS(16, quick_check)

// A constructor sets which functions of a class are called.
extern "C" void __tsan_vptr_update(void** p, void*) { quick_check<8, WRITES>(p, PC); }
extern "C" void __tsan_vptr_read(void** p) { quick_check<8, READS>(p, PC); }

#define ATOMICS(bits, T)                                                                                           \
  extern "C" T __tsan_atomic##bits##_load(const volatile T* p, int order) {                                       \
    check_access(p, sizeof *p, READS | STRONG | (order == __ATOMIC_ACQUIRE ? UPDATES : 0), PC);                   \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                                  \
  }                                                                                                               \
  extern "C" void __tsan_atomic##bits##_store(volatile T* p, T v, int) {                                          \
    check_access(p, sizeof *p, WRITES | STRONG, PC);                                                                  \
    __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                                     \
  }                                                                                                               \
  extern "C" int __tsan_atomic##bits##_compare_exchange_strong(volatile T* p, T* expected, T v, int, int) {       \
    check_access(p, sizeof *p, READS | WRITES | STRONG | COMPARES | UPDATES, PC);                                                          \
    return __atomic_compare_exchange_n(p, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                \
  }                                                                                                               \
  UPDATE(bits, T, exchange, exchange_n, WRITES | EXCHANGES)                                                                   \
  UPDATE(bits, T, fetch_add, fetch_add, READS | WRITES | UPDATES)                                                           \
  UPDATE(bits, T, fetch_and, fetch_and, READS | WRITES | UPDATES)                                                           \
  UPDATE(bits, T, fetch_or, fetch_or, READS | WRITES | UPDATES)                                                             \
  UPDATE(bits, T, fetch_xor, fetch_xor, READS | WRITES | UPDATES)
#define UPDATE(bits, T, name, operation, kind)                                       \
  extern "C" T __tsan_atomic##bits##_##name(volatile T* p, T v, int) {               \
    check_access(p, sizeof *p, (kind) | STRONG, PC);                                     \
    return __atomic_##operation(p, v, __ATOMIC_SEQ_CST);                             \
  }
ATOMICS(16, unsigned short)
ATOMICS(32, unsigned)
ATOMICS(64, unsigned long long)

// Laid out as g++ has it (GCC, libsanitizer/ubsan/ubsan_value.h).
struct Source { const char* file; unsigned line, column; };
struct Type { unsigned short kind, info; char name[]; };
struct OutOfBounds { Source at; const Type *array, *index; };
struct Mismatch { Source at; const Type* type; unsigned char log_alignment, kind; };

extern "C" {
void __tsan_init() {}
void __tsan_atomic_thread_fence(int order) {
  if (worker && bench_sim_current) fence(current(), order == __ATOMIC_SEQ_CST ? DEVICE : BLOCK);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_read_range(void* p, size_t bytes) { if (!is_local(p)) check_access(p, static_cast<unsigned>(bytes), READS, PC); }
void __tsan_write_range(void* p, size_t bytes) { if (!is_local(p)) check_access(p, static_cast<unsigned>(bytes), WRITES, PC); }

unsigned bench_sim_former(const void* p, unsigned long bytes) {
  const uintptr_t a = reinterpret_cast<uintptr_t>(p);
  const Region* r = region_of(worker, a);
  if (r && r->states[a - r->low] == LEFT) check_access(p, static_cast<unsigned>(bytes), READS | STRONG, PC);
  return 0;
}

void bench_sim_strong_load(const void* from, unsigned long bytes) { check_access(from, static_cast<unsigned>(bytes), READS | STRONG, PC); }

void __ubsan_handle_out_of_bounds(OutOfBounds* d, uintptr_t index) {
  if (!worker || !bench_sim_current) return;
  unsigned bits = 1u << (d->index->info >> 1);
  long long i = static_cast<long long>(index);
  if (d->index->info & 1 && bits < 64) i = static_cast<long long>(static_cast<uint64_t>(index) << (64 - bits)) >> (64 - bits);
  fail("%s:%u: index %lld is outside the array of type %s", base_name(d->at.file), d->at.line, i, d->array->name);
}

void __ubsan_handle_type_mismatch_v1(Mismatch* d, uintptr_t address) {
  if (!worker || !bench_sim_current) return;
  unsigned alignment = 1u << d->log_alignment;
  fail("%s:%u: misaligned: the address of this %s is a multiple of %u plus %u", base_name(d->at.file), d->at.line, d->type->name, alignment,
       static_cast<unsigned>(address & (alignment - 1)));
}

void __ubsan_handle_missing_return(Source* at) {
  if (!worker || !bench_sim_current) return;
  fail("%s:%u: the end of a function that returns a value is reached without return", base_name(at->file), at->line);
}
}
#pragma GCC visibility pop
