package tridiagonal

import (
	"math"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/plan"
	"example.org/bench/gpu"
)

// TestWorkMatchesProfiler compares the hand counts with what Nsight Compute
// 2025.3 counted on an NVIDIA H200 (`bench verify --counts`), kernels compiled
// by NVRTC 13.0: FLOPs within 2 %, bytes within 0.1 %.
func TestWorkMatchesProfiler(t *testing.T) {
	for _, x := range []struct {
		version, precision, layout string
		n, batch                   int64
		flops, loads, stores       int64
	}{
		{"cr", "f32", contiguous, 1024, 1024, 21345280, 16777216, 4194304},
		{"pcr", "f32", contiguous, 1024, 1024, 32112640, 16777216, 4194304},
		{"lf", "f32", contiguous, 1024, 1024, 30343168, 16777216, 4194304},
		{"wm", "f32", contiguous, 1024, 1024, 47198208, 16777216, 4194304},
		{"thomas", "f32", interleaved, 128, 1024, 2916352, 2097152, 524288},
		{"thomas", "f32", interleaved, 512, 1024, 12496896, 8388608, 2490368},
		{"thomas", "f32", interleaved, 4096, 1024, 109035520, 67108864, 23068672},
		{"thomas", "f64", interleaved, 256, 1024, 9732096, 8388608, 2097152},
		{"thomas", "f64", interleaved, 1024, 1024, 38526976, 33554432, 11534336},
		{"cr", "f32", contiguous, 64, 16384, 19087360, 16777216, 4194304},
		{"pcr", "f32", contiguous, 64, 16384, 29097984, 16777216, 4194304},
		{"lf", "f32", contiguous, 64, 16384, 31064064, 16777216, 4194304},
		{"wm", "f32", contiguous, 64, 16384, 46661632, 16777216, 4194304},
		{"cr", "f32", contiguous, 512, 2048, 21325824, 16777216, 4194304},
		{"pcr", "f32", contiguous, 512, 2048, 30146560, 16777216, 4194304},
		{"lf", "f32", contiguous, 512, 2048, 28377088, 16777216, 4194304},
		{"wm", "f32", contiguous, 512, 2048, 42475520, 16777216, 4194304},
		{"cr", "f32", contiguous, 4096, 256, 21163264, 16777216, 4194304},
		{"pcr", "f32", contiguous, 4096, 256, 27525120, 16777216, 4194304},
		{"lf", "f32", contiguous, 4096, 256, 34275328, 16777216, 4194304},
		{"wm", "f32", contiguous, 4096, 256, 56638464, 16777216, 4194304},
		{"cr", "f64", contiguous, 64, 16384, 32653312, 33554432, 8388608},
		{"pcr", "f64", contiguous, 64, 16384, 45875200, 33554432, 8388608},
		{"lf", "f64", contiguous, 64, 16384, 47579136, 33554432, 8388608},
		{"wm", "f64", contiguous, 64, 16384, 63700992, 33554432, 8388608},
		{"cr", "f64", contiguous, 512, 2048, 38086656, 33554432, 8388608},
		{"pcr", "f64", contiguous, 512, 2048, 52166656, 33554432, 8388608},
		{"lf", "f64", contiguous, 512, 2048, 42270720, 33554432, 8388608},
		{"wm", "f64", contiguous, 512, 2048, 57286656, 33554432, 8388608},
		{"cr", "f64", contiguous, 4096, 256, 38135040, 33554432, 8388608},
		{"pcr", "f64", contiguous, 4096, 256, 61210624, 33554432, 8388608},
		{"lf", "f64", contiguous, 4096, 256, 49741824, 33554432, 8388608},
		{"wm", "f64", contiguous, 4096, 256, 75381760, 33554432, 8388608},
		{"partition", "f32", contiguous, 13333334, 1, 930622188, 431280272, 55432976},
	} {
		w := workOf(t, x.version, x.precision, x.layout, x.n, x.batch)
		for _, c := range []struct {
			name            string
			own, want, most float64
		}{
			{"FLOPs", float64(w.FLOPs), float64(x.flops), 0.02},
			{"load bytes", float64(w.LoadBytes), float64(x.loads), 0.001},
			{"store bytes", float64(w.StoreBytes + w.ClusterBytes), float64(x.stores), 0.001},
		} {
			if off := c.own/c.want - 1; math.Abs(off) > c.most {
				t.Errorf("%s %s N = %d: %s are %.0f, the profiler's %.0f: %+.2f %%", x.version, x.precision, x.n, c.name, c.own, c.want, 100*off)
			}
		}
	}
}

// workOf is a version's Work at its defaults on a large GPU. Nothing runs: the
// problem has no rows in memory.
func workOf(t *testing.T, version, precision, layout string, n, batch int64) framework.Work {
	t.Helper()
	params := framework.Values{
		"N": framework.IntValue(n), "batch": framework.IntValue(batch), "precision": framework.TextValue(precision),
		"layout": framework.TextValue(layout), "dominance": framework.FloatValue(defaultDominance),
	}
	v := Factory().VersionOn(version, framework.GPU)
	facts := *plan.AnyGPU()
	p := &problem{N: int(n), Batch: int(batch), Interleaved: layout == interleaved, Double: precision == "f64"}
	a, err := v.New(framework.Env{Device: planned{facts: facts}}, p, v.Defaults(params, facts))
	if err != nil {
		t.Fatal(err)
	}
	if s, ok := a.(*partition); ok { // which PreRun would choose
		s.last = wholeKernel(s.p.Double, interfaceRows(s.levels))
	}
	return a.Work()
}

// planned is a device of which only the facts are used.
type planned struct {
	gpu.Device
	facts gpu.Facts
}

func (p planned) Facts() gpu.Facts { return p.facts }
