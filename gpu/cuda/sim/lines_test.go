package sim_test

import (
	"strings"
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
)

// A report names the calls that lead to the place, and a variable without a value that
// may be the cause.
func TestReportsNameTheCause(t *testing.T) {
	d := open(t, 1, sim.Checks(), sim.Workers(1))
	for name, c := range map[string]struct{ text, want string }{
		"called": {`__device__ __forceinline__ float at(const float* p, int i) {
  return p[i];
}
__device__ __forceinline__ float two(const float* p, int i) {
  return at(p, i) + at(p, i + 1);
}
extern "C" __global__ void called(float* out, int n) {
  out[0] = two(out, n);
}`, "called.cu:2 (called in called.cu:5, that in called.cu:8): reads 4 bytes at 0 bytes past the end"},
		"flat": {`extern "C" __global__ void flat(float* out, int n) {
  out[1] = out[n];
}`, "flat.cu:2: reads 4 bytes at 0 bytes past the end"},
		"unset": {`extern "C" __global__ void unset(float* out, int n) {
  long at;
  out[at * 4096] = n;
}`, "which is not device memory; unset.cu:3: 'at' is used uninitialized"},
	} {
		t.Run(name, func(t *testing.T) {
			k := compile(t, d, name, c.text)
			out := upload(t, d, make([]float32, 64))
			err := k.Launch(0, gpu.Launch{Grid: gpu.Dim3{X: 1}, Block: gpu.Dim3{X: 1}}, out, int32(64))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v\nlacks %s", err, c.want)
			}
		})
	}
}
