package sim_test

import (
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
)

// Inline PTX that has a counterpart in CUDA C++ runs: special registers, fences, barriers, prefetches.
func TestInlinePTX(t *testing.T) {
	t.Parallel()
	d := open(t, 1, sim.Checks())
	k := compile(t, d, "inlined", `
__device__ __forceinline__ unsigned lane() { unsigned r; asm volatile("mov.u32 %0, %%laneid;" : "=r"(r)); return r; }
extern "C" __global__ void inlined(unsigned* out, const int* in) {
  __shared__ unsigned s[64];
  unsigned t, w, m, b[1], n;
  unsigned long long before, after;
  asm("mov.u64 %0, %globaltimer;" : "=l"(before));
  asm("mov.u32 %0, %tid.x;" : "=r"(t));
  asm ( "mov.u32 %0, %%warpid;\n\t" : "=r"(w) );
  asm("mov.u32 %0, %lanemask_lt;" : "=r"(m));
  asm("mov.u32 %0, %ctaid.x;" : "=r"(b[0])); asm("mov.u32 %0,%ntid.x;" : "=r"(n));
  asm volatile("prefetch.global.L2 [%0];" :: "l"(in + t));
  s[t] = m;
  asm volatile("bar.sync 0;" ::: "memory");
  out[b[0] * n + t] = s[63 - t] + 100 * w + 1000 * lane();
  asm volatile("membar.gl;" ::: "memory");
  asm volatile("" ::: "memory");
  asm volatile("mov.u64 %0, %clock64;" : "=l"(after));
  if (after < before) out[0] = in[t + 64];
}`)
	out, in := upload(t, d, make([]uint32, 128)), upload(t, d, make([]int32, 64))
	launch(t, k, gpu.Launch{Grid: gpu.Dim3{X: 2}, Block: gpu.Dim3{X: 64}}, out, in)
	equal(t, download[uint32](t, d, out, 128), func(i int) uint32 {
		l := i % 64
		return uint32(1)<<((63-l)%32) - 1 + uint32(100*(l/32)+1000*(l%32))
	})
}
