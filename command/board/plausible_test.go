package board

import (
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
)

// TestNoGPUDoesIt: what is faster than the GPU's facts or its ceilings allow is refused.
func TestNoGPUDoesIt(t *testing.T) {
	t.Parallel()
	facts := gpu.Facts{Multiprocessors: 132, ClockHz: 1.98e9, MemoryClockHz: 2.6e9, MemoryBusBits: 5120, L2Bytes: 50 << 20}
	point := func(seconds float64) record.Result {
		r := record.Result{Status: record.OK, Checks: []framework.Check{{Bound: 1}}, Elapsed: 10, Work: framework.Work{NominalFLOPs: 1e9, NominalBytes: 1 << 30},
			Cold: &measure.Series{Samples: []float64{seconds}, ClockHz: 1.9e9}}
		r.Point.Processor, r.Point.Device = framework.GPU, "cuda:0"
		return r
	}
	energy := &measure.Energy{Window: 2, Runs: 1000}
	for name, c := range map[string]struct {
		seconds float64
		change  func(r *record.Result, d *record.Device)
		want    string
	}{
		"a good point":              {4e-4, func(*record.Result, *record.Device) {}, ""},
		"flops":                     {4e-4, func(r *record.Result, _ *record.Device) { r.Work.FLOPs = 1e11 }, "FLOP/s, more than"},
		"memory":                    {1e-5, func(*record.Result, *record.Device) {}, "B/s, more than"},
		"clock":                     {4e-4, func(r *record.Result, _ *record.Device) { r.Cold.ClockHz = 3e9 }, "cycles/s, more than"},
		"a ceiling of operations":   {4e-4, func(_ *record.Result, d *record.Device) { d.Ceilings.FMA = 1e15 }, "FLOP/s, more than"},
		"a ceiling of copies":       {4e-4, func(_ *record.Result, d *record.Device) { d.Ceilings.Copy = 1e14 }, "B/s of a copy, more than"},
		"longer than it took":       {12, func(*record.Result, *record.Device) {}, "samples and window take"},
		"no run fits in the window": {4e-3, func(r *record.Result, _ *record.Device) { r.Energy = &measure.Energy{Window: 1, Runs: 10000} }, "its window has 10000 runs"},
		"runs fit in the window":    {4e-4, func(r *record.Result, _ *record.Device) { r.Energy = energy }, ""},
	} {
		r, d := point(c.seconds), record.Device{ID: "cuda:0", Facts: &facts, Ceilings: record.Ceilings{Copy: 3e12, FMA: 6e13}}
		c.change(&r, &d)
		err := plausiblePoint(record.Info{Devices: []record.Device{d}}, r)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
