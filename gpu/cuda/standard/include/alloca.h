// alloca: memory of the function that calls it. NVRTC has no name for PTX's instruction.
#pragma once
#ifndef BENCH_SIM
__device__ __forceinline__ void* alloca(decltype(sizeof 0) bytes) {
  void* p;
  asm volatile("{ .reg .u64 at; alloca.u64 at, %1, 16; cvta.local.u64 %0, at; }" : "=l"(p) : "l"((unsigned long long)bytes));
  return p;
}
#endif
