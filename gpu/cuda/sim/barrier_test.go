package sim_test

import (
	"strings"
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
)

// A barrier that some threads of a block return without coming to is passed on a GPU, and
// not defined by CUDA: the launch goes on, with a warning that has the line.
func TestBarrierWithoutThreadsThatReturned(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body    string
		warning string // empty: none
	}{
		"all":       {"__syncthreads(); if (t > 3) return;\n out[t] = t;", ""},
		"wholetail": {"if (blockIdx.x == 1) return;\n __syncthreads();", ""},
		"early":     {"if (t >= 52) return;\n __syncthreads(); out[t] = t;", "kernel early: block (0,0,0): early.cu:4: 12 of 64 threads returned without coming to this barrier, the first is thread (52,0,0)"},
		"warp":      {"if (t >= 32) return;\n __syncthreads(); out[t] = t;", "warp.cu:4: 32 of 64 threads"},
		"branch":    {"if (t < 9)\n __syncthreads();", "branch.cu:4: 55 of 64 threads returned"},
		"turns":     {"for (int i = 0; i < 1 + (t < 40); i++)\n __syncthreads();", "turns.cu:4: 24 of 64 threads"},
		"count":     {"if (t == 63) return;\n out[t] = __syncthreads_count(t > 2);", "count.cu:4: 1 of 64 threads"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, options := range [][]sim.Option{{sim.Checks()}, nil} {
				d := open(t, 5, options...)
				k := compile(t, d, name, "extern \"C\" __global__ void "+name+"(int* out) {\n  int t = threadIdx.x; out += 64 * blockIdx.x;\n"+c.body+"\n}")
				out := upload(t, d, make([]int32, 128))
				for range 2 {
					launch(t, k, gpu.Launch{Grid: gpu.Dim3{X: 2}, Block: gpu.Dim3{X: 64}}, out)
				}
				got := strings.Join(d.(*sim.Device).Warnings(), "\n")
				block := strings.NewReplacer("block (1,0,0)", "block (0,0,0)")
				if got = block.Replace(got); (got == "") != (c.warning == "") || !strings.Contains(got, c.warning) {
					t.Errorf("warnings %q, want %q", got, c.warning)
				}
				if again := d.(*sim.Device).Warnings(); len(again) > 0 {
					t.Errorf("warned again: %q", again)
				}
			}
		})
	}
}
