package sim_test

import (
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
)

// BenchmarkScanBlock runs a block of 1024 threads, each with 20 shuffles and 2
// barriers: 22 thousand changes of fiber.
func BenchmarkScanBlock(b *testing.B) {
	d := open(b, 1, sim.Workers(1))
	k := compile(b, d, "turns", `
extern "C" __global__ void turns(float* out) {
  float x = threadIdx.x;
  for (int i = 0; i < 10; i++) x += __shfl_up_sync(0xffffffff, x, 1 << i % 5);
  __syncthreads();
  for (int i = 0; i < 10; i++) x += __shfl_up_sync(0xffffffff, x, 1 << i % 5);
  __syncthreads();
  out[threadIdx.x] = x;
}`)
	out := upload(b, d, make([]float32, 1024))
	for b.Loop() {
		if err := k.Launch(0, gpu.Launch{Grid: gpu.Dim3{X: 1}, Block: gpu.Dim3{X: 1024}}, out); err != nil {
			b.Fatal(err)
		}
	}
}
