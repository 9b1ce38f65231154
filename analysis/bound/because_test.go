package bound

import (
	"slices"
	"strings"
	"testing"
)

func kernelOf(spills int, occupancy float64, registers int, integer float64) []Kernel {
	return []Kernel{{Name: "k", Launches: 1, Model: 1, SpillBytes: spills, Occupancy: occupancy, Registers: registers, Lanes: 32, Mix: map[string]float64{"float32": 100, "integer": integer}}}
}

// The reasons are what costs the slower point time, in the order of what it costs, from
// the one that it is held against.
func TestReasonsOf(t *testing.T) {
	fast := Why{Time: 1e-3, Model: 1e-3, Clock: 2e9, Kernels: kernelOf(0, 1, 32, 1e7), Uses: []Use{{What: "integer", Share: 0.5}}}
	slow := Why{Time: 2e-3, Model: 1.8e-3, Clock: 2e9, Kernels: kernelOf(96, 0.5, 128, 2e7), Uses: []Use{{What: "integer", Share: 0.5}},
		Gains: map[string]float64{"spills": 1.5, "occupancy": 1.2}}
	b := ReasonsOf(slow, fast)
	want := []string{"spills 0 → 96 B a thread", "occupancy 100 → 50 % (registers 32 → 128)", "integer instructions 10 M → 20 M"}
	if !slices.Equal(b.Reasons, want) || b.Missing != "" || b.Explained < 0.79 || b.Explained > 0.81 {
		t.Errorf("%+v", b)
	}
	if got := b.Text(2); got != "slower because: "+strings.Join(want, "; ")+" (the model has 80 % of the difference)" {
		t.Error(got)
	}
	b = ReasonsOf(fast, slow)
	if want := []string{"spills 96 → 0 B a thread", "occupancy 50 → 100 % (registers 128 → 32)", "integer instructions 20 M → 10 M"}; !slices.Equal(b.Reasons, want) {
		t.Errorf("%+v", b)
	}
	if !strings.HasPrefix(b.Text(0.5), "faster because: spills 96") {
		t.Error(b.Text(0.5))
	}

	// What is worse at the faster one is no reason.
	better, plain := slow, fast
	better.Kernels, better.Uses = kernelOf(0, 1, 32, 1e7), nil
	fast.Kernels = kernelOf(96, 0.5, 128, 1e7)
	if b = ReasonsOf(better, fast); len(b.Reasons) != 0 || !strings.Contains(b.Missing, "nothing that is counted") {
		t.Errorf("%+v", b)
	}
	fast = plain

	// The same work at a lower clock, or by a part of the GPU that is slower.
	held := fast
	held.Time, held.Model, held.Clock, held.Uses = 2e-3, 2e-3, 1e9, []Use{{What: "integer", Share: 0.25}}
	if b = ReasonsOf(held, fast); !slices.Equal(b.Reasons, []string{"clock 2000 → 1000 MHz"}) {
		t.Errorf("%+v", b)
	}
	held.Clock, held.Uses = 2e9, []Use{{What: memoryUse, Share: 0.9}}
	if b = ReasonsOf(held, fast); !slices.Equal(b.Reasons, []string{"memory busy for 0.000 s → 1.800 ms"}) {
		t.Errorf("%+v", b)
	}

	// The model that has another difference is not sure.
	held.Model = 1.1e-3
	if b = ReasonsOf(held, fast); !strings.Contains(b.Text(2), "10 % of the difference: not sure") {
		t.Errorf("%+v", b)
	}
	for _, x := range []struct {
		of, from Why
		want     string
	}{
		{fast, fast, "no two times that differ"},
		{Why{Time: 2, Missing: "it is a library's"}, fast, "it is a library's"},
		{slow, Why{Time: 1e-3}, "of what it is held against: its kernels are not known"},
	} {
		if b := ReasonsOf(x.of, x.from); len(b.Reasons) != 0 || !strings.Contains(b.Missing, x.want) {
			t.Errorf("%+v, want %q", b, x.want)
		}
	}
}
