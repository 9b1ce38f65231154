package why

import (
	"testing"

	"example.org/bench/analysis/bound"
	"example.org/bench/framework"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// versionPoint is a point of a version.
func versionPoint(version string) plan.Point {
	return plan.Point{Algorithm: "toy", Version: version, Processor: framework.CPU, Device: "cpu", PowerMode: "low", Instance: 1,
		Params: framework.Values{"N": framework.IntValue(8)}}
}

// The text has what bounds a point with its margin, four of what is busy and of its kernels,
// the changes in their order, and what differs from the other point.
func TestExplainedText(t *testing.T) {
	why := bound.Why{Class: bound.Memory, Share: 0.9, Next: "L2", Margin: 1.5, Time: 2e-6, Model: 1.8e-6, Sure: true,
		Uses:    []bound.Use{{What: "memory", Share: 0.9}, {What: "L2", Share: 0.6}, {What: "FMA", Share: 0.2}, {What: "LSU", Share: 0.1}, {What: "fifth", Share: 0.05}},
		Changes: []bound.Change{{Name: "loads", Text: "load less", Gain: 1.25}}}
	for range 5 {
		why.Kernels = append(why.Kernels, bound.Kernel{Name: "k", Launches: 2, Grid: [3]int{2, 3, 1}, Block: [3]int{32, 2, 1}, Registers: 24, Occupancy: 0.5, Limit: "registers", Waves: 1.5})
	}
	why.Kernels[1].SpillBytes = 8
	e := Explained{Point: versionPoint("v"), Why: why, Against: &Against{Point: versionPoint("other"), Differences: []string{"time 3 → 2 µs"}}}
	want := `
memory, about 1.25× to gain by loads: v
  bound by memory, busy for 90 % of the time, 1.5 times as long as L2; 2 µs; 1.8 µs by the model
  busy: memory 90 %, L2 60 %, FMA 20 %, LSU 10 %
  k ×2: 6 blocks of 64 threads, 24 registers, no spills, occupancy 50 % by registers, 1.50 waves
  k ×2: 6 blocks of 64 threads, 24 registers, 8 bytes spilled a thread, occupancy 50 % by registers, 1.50 waves
  k ×2: 6 blocks of 64 threads, 24 registers, no spills, occupancy 50 % by registers, 1.50 waves
  k ×2: 6 blocks of 64 threads, 24 registers, no spills, occupancy 50 % by registers, 1.50 waves
  and 1 more (--json has all)
  1. load less: about 1.25×
  from other :
    time 3 → 2 µs
`
	if got := e.Text(nil); got != want {
		t.Errorf("%s\nwant%s", got, want)
	}
	unsure := bound.Why{Class: bound.Latency, Time: 1e-6}
	unknown := Explained{Point: e.Point, Why: bound.Why{Class: bound.Unknown, Missing: "no code"}}
	if got := unsure.Verdict() + unknown.Text(nil); got != "bound by latency; 1 µs; not sure\nunknown: v\n  unknown\n  missing: no code\n" {
		t.Errorf("%q", got)
	}
}

// TestWhyFinding: what bounds most points comes first, with the point at which most is to gain.
func TestWhyFinding(t *testing.T) {
	var f tally
	if got := f.finding(); got.Text != "" {
		t.Errorf("of no point: %q", got.Text)
	}
	point := func(class bound.Class, sure bool, gain float64) Explained {
		e := Explained{Point: versionPoint("v"), Why: bound.Why{Class: class, Sure: sure}}
		if gain > 0 {
			e.Why.Changes = []bound.Change{{Name: "coalesce", Gain: gain}}
		}
		return e
	}
	f.add(point(bound.Latency, true, 0))
	if got := f.finding(); got.Text != "bound by latency at 1 of 1 point; no change that is known gains" || !got.Told {
		t.Errorf("%+v", got)
	}
	f.add(point(bound.Memory, true, 1.1))
	f.add(point(bound.Memory, false, 1.3))
	f.add(point(bound.Unknown, false, 0))
	if got := f.finding(); got.Text != "bound by memory at 2 of 4 points, bound by latency at 1 of 4 points, unknown at 1 of 4 points; not sure of 2; most to gain: about 1.30× by coalesce, v" {
		t.Errorf("%+v", got)
	}
}

// A point is told by what tells it from others, and by tunables that are not the defaults.
func TestWhyNames(t *testing.T) {
	first := &record.Result{Point: versionPoint("v"), Status: record.OK}
	first.Point.ParamOrder, first.Point.TunableOrder = []string{"N", "M"}, []string{"P", "Q", "R"}
	first.Point.Params = framework.Values{"N": framework.IntValue(8), "M": framework.IntValue(2)}
	first.Point.Tunables = framework.Values{"P": framework.IntValue(1), "Q": framework.IntValue(2), "R": framework.IntValue(3)}
	second := *first
	second.Point.ID, second.Point.Changed = 1, []string{"R"}
	second.Point.Params = framework.Values{"N": framework.IntValue(9), "M": framework.IntValue(2)}
	second.Point.Tunables = framework.Values{"P": framework.IntValue(4), "Q": framework.IntValue(2), "R": framework.IntValue(3)}
	run := record.NewRun(record.Info{}, "toy", nil, []record.Result{*first, second})
	shown, alike := distinct(run)
	if got := named(first.Point, shown); alike != "toy M=2" || got != "v N=8 P=1 R=3" {
		t.Errorf("%q of %q", got, alike)
	}
	if first.Point.Settings() != "N=8 M=2 P=1 Q=2 R=3" {
		t.Errorf("the point has lost names: %s", first.Point.Settings())
	}
	if _, alike := distinct(&record.Run{}); alike != "none" {
		t.Errorf("of no rows: %q", alike)
	}
}
