package sim_test

import (
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
)

// TestLeftInVariables: what an earlier run left in a variable is named where the next run reads
// it; within a run, and where a variable has its first value again, it is not.
func TestLeftInVariables(t *testing.T) {
	t.Parallel()
	d := open(t, 0, sim.Checks()).(*sim.Device)
	out := upload(t, d, make([]int32, 64))
	for name, c := range map[string]struct {
		text string
		left string // empty: nothing is named
	}{
		"counter": {"__device__ unsigned runs;\nextern \"C\" __global__ void counter(int* out) { if (threadIdx.x == 0 && runs++ < 3) out[0] = 1; }", "counter.cu:2: reads what an earlier run left, at byte 0 of runs (4 bytes)"},
		"atomic":  {"__device__ unsigned adds;\nextern \"C\" __global__ void atomic(int* out) { out[threadIdx.x] = atomicAdd(&adds, 1u) < 64; }", "atomic.cu:2: reads what an earlier run left, at byte 0 of adds (4 bytes)"},
		// What nobody looks at may go on from run to run.
		"unused":   {"__device__ unsigned n; __device__ double sum;\nextern \"C\" __global__ void unused(int* out) { atomicAdd(&n, 1u); atomicMax(&n, 7u); atomicAdd(&sum, 1.0); out[threadIdx.x] = 1; }", ""},
		"later":    {"__device__ unsigned n;\nextern \"C\" __global__ void later(int* out) { atomicAdd(&n, 1u); __syncthreads();\n out[threadIdx.x] = n; }", "later.cu:3: reads what an earlier run left"},
		"float":    {"__device__ float n;\nextern \"C\" __global__ void used(int* out) { out[threadIdx.x] = atomicAdd(&n, 1.0f); }", "used.cu:2: reads what an earlier run left"},
		"memo":     {"static __device__ int kept[64];\nextern \"C\" __global__ void memo(int* out) {\n if (kept[threadIdx.x] == 0) kept[threadIdx.x] = 7;\n out[threadIdx.x] = kept[threadIdx.x]; }", "memo.cu:3: reads what an earlier run left, at byte"},
		"wraps":    {"__device__ unsigned ticket;\nextern \"C\" __global__ void wraps(int* out) { if (atomicInc(&ticket, 63) == 63) out[0] = 1; }", ""},
		"sets":     {"__device__ int total = 3;\nextern \"C\" __global__ void sets(int* out) { if (threadIdx.x == 0) { total = 0; out[0] = ++total; } }", ""},
		"table":    {"__device__ int table[2] = {4, 5};\nextern \"C\" __global__ void table_of(int* out) { out[threadIdx.x] = table[threadIdx.x & 1]; }", ""},
		"constant": {"__constant__ int c = 4;\nextern \"C\" __global__ void constant_of(int* out) { out[threadIdx.x] = c; }", ""},
	} {
		kernel := map[string]string{"table": "table_of", "constant": "constant_of", "float": "used"}[name]
		if kernel == "" {
			kernel = name
		}
		k := compile(t, d, kernel, c.text)
		shape := gpu.Launch{Block: gpu.Dim3{X: 64}}
		launch(t, k, shape, out)
		launch(t, k, shape, out) // of the same run
		d.NextRun()
		if c.left != "" {
			fails(t, k, shape, []any{out}, c.left)
			continue
		}
		launch(t, k, shape, out)
	}
}
