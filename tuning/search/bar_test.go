package search

import (
	"strings"
	"testing"

	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile/safefiletest"
	"example.org/bench/tuning"
)

// TestBarIsThatOfTheBest that are measured again, of valid trials of the sweep point, and there is
// none where all is to be measured.
func TestBarIsThatOfTheBest(t *testing.T) {
	y := &toy{}
	o := y.options("random")
	o.Device, o.Facts, o.Confirm, o.Budget = "cuda:0", plan.AnyGPU(), 2, 5
	s := y.open(t, `"versions": ["gpu"]`, o)
	v := s.Versions[0]
	task := v.Tasks[0]
	for i, cost := range []float64{5, 2, 0, 3} {
		if got := s.bar(v, task, "cuda:0"); i < 2 && got != 0 || i == 2 && got != 5 {
			t.Errorf("bar %v after %d trials", got, i)
		}
		r := record.Result{Cold: &measure.Series{Samples: []float64{cost}, Beaten: cost == 5}}
		s.Trials = append(s.Trials, Trial{Version: v, Task: task, Trial: tuning.Trial{Cost: cost, OK: cost > 0}, Result: r})
	}
	if got := s.bar(v, task, "cuda:0"); got != 3 {
		t.Errorf("bar %v, want the second best of the valid", got)
	}
	v.Devices = []*Device{{ID: "cuda:0"}, {ID: "cuda:1", Slower: 0.04, Corrected: true}, {ID: "cuda:2", Slower: 0.001}}
	for device, want := range map[string]float64{"cuda:0": 3, "cuda:1": 3.12, "cuda:2": 3} {
		if got := s.bar(v, task, device); got != want {
			t.Errorf("bar %v on %s, want %v", got, device, want)
		}
	}
	if n := s.endedEarly(task); n != 1 {
		t.Errorf("%d ended early", n)
	}
	if open, trials := s.Unsettled(); open != 2 || trials != 3 {
		t.Errorf("%d of %d not converged; one that ended early is none", open, trials)
	}
	for name, change := range map[string]func(){
		"whole trials":   func() { s.WholeTrials = true },
		"another cost":   func() { s.Objective = Front },
		"every point":    func() { v.Budget = v.Points() },
		"an exhaustive":  func() { s.Strategy.Name = "exhaustive" },
		"the confirming": func() { s.Confirm = 4 },
	} {
		whole, objective, budget, strategy, confirm := s.WholeTrials, s.Objective, v.Budget, s.Strategy.Name, s.Confirm
		change()
		if got := s.bar(v, task, "cuda:0"); got != 0 {
			t.Errorf("%s: bar %v", name, got)
		}
		s.WholeTrials, s.Objective, v.Budget, s.Strategy.Name, s.Confirm = whole, objective, budget, strategy, confirm
	}
	if err := s.writeTrials(safefiletest.Hold(t, t.TempDir())); err != nil {
		t.Error(err)
	}
	cpu := y.open(t, `"versions": ["exact"]`, y.options("random"))
	cpu.Trials = append(cpu.Trials, Trial{Version: cpu.Versions[0], Task: cpu.Versions[0].Tasks[0], Trial: tuning.Trial{Cost: 1, OK: true}})
	if got := cpu.bar(cpu.Versions[0], cpu.Versions[0].Tasks[0], "cpu"); got != 0 {
		t.Errorf("bar %v on a CPU", got)
	}
	// The bar is no part of what a point is.
	p := task.Point(0)
	key := p.Key()
	if p.Bar = 3; p.Key() != key || strings.Contains(key, "bar") {
		t.Errorf("%s", p.Key())
	}
}
