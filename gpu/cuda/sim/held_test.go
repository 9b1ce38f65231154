package sim_test

import (
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
)

// A wait that ends by itself is no barrier: threads that it should wait for may be later.
func TestWaitThatEndsByItself(t *testing.T) {
	t.Parallel()
	for name, wait := range map[string]string{
		"looks":  "for (int i = 0; i < 2000 && go; i++) {}",
		"sleeps": "for (int i = 0; i < 100; i++) __nanosleep(1000);",
		"fences": "for (int i = 0; i < 2000; i++) __threadfence();",
		"counts": "for (int i = 0; i < 2000 && atomicAdd(&count, 0) < 256; i++) {}",
		"warps":  "for (int i = 0; i < 500 && __any_sync(~0u, go); i++) {}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(2) {
				d := open(t, seed, sim.Checks(), sim.Workers(1))
				k := compile(t, d, name, `
extern "C" __global__ void `+name+`(int* out) {
  __shared__ volatile int row[256], go;
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  row[threadIdx.x] = 1; go = 1; __threadfence();
  atomicAdd(&count, 1);
  if (threadIdx.x >= 32) return;
  `+wait+`
  int sum = 0;
  for (int k = 32; k < 256; k++) sum += row[k];
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}`)
				const blocks = 8
				out := upload(t, d, make([]int32, blocks))
				fails(t, k, gpu.Launch{Grid: gpu.Dim3{X: blocks}, Block: gpu.Dim3{X: 256}}, []any{out}, "kernel "+name, name+".cu:12: reads what was never written")
			}
		})
	}
}
