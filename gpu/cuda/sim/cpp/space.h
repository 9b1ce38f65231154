// What memory a pointer points to, and memory that a thread asks for.
#pragma once

extern "C" {
void* malloc(size_t) noexcept;
void free(void*) noexcept;
}
inline void* operator new(size_t, void* at) noexcept { return at; }
inline void* operator new[](size_t, void* at) noexcept { return at; }
#define alloca(bytes) __builtin_alloca(bytes)
#define __brkpt() bench_sim_fail("__brkpt()", bench_sim::here())

inline unsigned __isShared(const void* p) { return bench_sim_space(p) == bench_sim::SPACE_SHARED; }
inline unsigned __isLocal(const void* p) { return bench_sim_space(p) == bench_sim::SPACE_LOCAL; }
inline unsigned __isGlobal(const void* p) { return bench_sim_space(p) == bench_sim::SPACE_GLOBAL; }
// The offset in the block's shared memory.
inline size_t __cvta_generic_to_shared(const void* p) { return bench_sim_shared_offset(p); }
