// Context switch between fibers.
#pragma once

extern "C" {
// Saves the caller's context in *from and continues the one saved in to.
void bench_sim_switch(void** from, void* to);
void bench_sim_start();  // first return address of a fiber
void bench_sim_thread_main() __attribute__((noreturn));
}

#if defined(__x86_64__)
enum { SAVED_WORDS = 7, RETURN_WORD = 6 };
#elif defined(__aarch64__)
enum { SAVED_WORDS = 20, RETURN_WORD = 11 };
#else
#error "the simulator's fibers exist for x86-64 and aarch64"
#endif

// fresh_context lays out a context below top (16-byte aligned) that begins in
// bench_sim_start with the stack aligned as a function call needs it.
inline void* fresh_context(char* top) {
  void** words = reinterpret_cast<void**>(top) - SAVED_WORDS;
  for (int i = 0; i < SAVED_WORDS; i++) words[i] = nullptr;
  words[RETURN_WORD] = reinterpret_cast<void*>(&bench_sim_start);
  return words;
}
