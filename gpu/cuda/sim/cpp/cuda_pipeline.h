// Asynchronous copies of a thread: they are done at once.
#pragma once

inline void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0) {
  memcpy(to, from, bytes - zeros);
  if (zeros) memset(static_cast<char*>(to) + (bytes - zeros), 0, zeros);
}
inline void __pipeline_commit() {}
inline void __pipeline_wait_prior(size_t) {}
