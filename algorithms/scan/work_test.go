package scan

import (
	"math"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/plan"
)

// TestWorkMatchesProfiler compares the hand counts with what Nsight Compute
// 2025.3 counted on an NVIDIA H200 (`bench verify --counts`), kernels compiled
// by NVRTC 13.0: FLOPs within 2 %, bytes within 1 % (a state may be read twice).
func TestWorkMatchesProfiler(t *testing.T) {
	facts := *plan.AnyGPU()
	for _, x := range []struct {
		version              string
		n                    int64
		flops, loads, stores float64
	}{
		{"lf", 64, 39845888, 67108864, 67108864},
		{"ks", 64, 42467328, 67108864, 67108864},
		{"lf", 4096, 52953088, 67108864, 67108864},
		{"ks", 4096, 57540608, 67108864, 67108864},
		{"lookback", 64, 9915334656, 67722016, 69206024},
		{"lookback", 4096, 159121408, 67116176, 67141640},
		{"lookback", 1 << 24, 81919414, 69510432, 67125256},
	} {
		params := setting(x.n, 1<<24/x.n, "f32", "inclusive")
		v := Factory().VersionOn(x.version, framework.GPU)
		tunables := v.Defaults(params, facts)
		s := shapeOf(params)
		var p gpuPlan
		switch x.version {
		case "lf":
			p = blockPlan("lf", s, tunables, ladnerFischer)
		case "ks":
			p = blockPlan("ks", s, tunables, koggeStone)
		default:
			p = lookbackPlan(s, tunables, facts)
		}
		w := p.work(p.shape.Grid.X)
		for _, c := range []struct {
			name            string
			own, want, most float64
		}{
			{"FLOPs", float64(w.FLOPs), x.flops, 0.02},
			{"load bytes", float64(w.LoadBytes), x.loads, 0.01},
			{"store bytes", float64(w.StoreBytes), x.stores, 0.01},
		} {
			if off := c.own/c.want - 1; math.Abs(off) > c.most {
				t.Errorf("%s N = %d: %s are %.0f, the profiler's %.0f: %+.2f %%", x.version, x.n, c.name, c.own, c.want, 100*off)
			}
		}
	}
}
