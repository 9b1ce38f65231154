package search

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu/cuda/offline"
	"example.org/bench/internal/safefile/safefiletest"
	"example.org/bench/tuning"
)

// TestImportanceByHand: what a parameter explains beyond chance, of logarithms -1.5,
// -0.5, 0.5 and 1.5, whose squares sum to 5.
func TestImportanceByHand(t *testing.T) {
	// a has a value that does not occur.
	p := []tuning.Parameter{{Name: "b", Values: []float64{1, 2}}, {Name: "a", Values: []float64{1, 2, 3}}}
	s := mustSpace(t, p, [][]uint16{{0, 0}, {1, 0}, {0, 2}, {1, 2}})
	var costs []float64
	for _, x := range []float64{-1.5, -0.5, 0.5, 1.5} {
		costs = append(costs, math.Exp(x))
	}
	// a explains 4 of 5 and half of that which is left by chance, then b all of the
	// 1 that is left.
	if got := Importance(s, []int{0, 1, 2, 3}, costs); math.Abs(got[1]-0.7) > 1e-12 || math.Abs(got[0]-0.2) > 1e-12 {
		t.Errorf("%v, want 0.2 and 0.7", got)
	}
	// Of three trials: two groups explain all.
	costs = []float64{math.E, math.E, math.Exp(-2)}
	if got := Importance(s, []int{0, 1, 2}, costs); math.Abs(got[1]-1) > 1e-12 || got[0] != 0 {
		t.Errorf("%v, want 0 and 1", got)
	}
	// A group a trial explains nothing.
	single := mustSpace(t, p[1:], [][]uint16{{0}, {1}, {2}})
	if got := Importance(single, []int{0, 1, 2}, costs); got[0] != 0 {
		t.Errorf("%v, want 0", got)
	}
}

// TestConvergence: a sweep point that has ended keeps its best.
func TestConvergence(t *testing.T) {
	c := convergence("v", [][]float64{{0.25, 0.5, 1}, {0.5}, {0, 0.75}})
	if c.Name != "v" || !slices.Equal(c.Median, []float64{0.125, 0.5, 0.625}) || !slices.Equal(c.Low, []float64{0, 0.5, 0.5}) {
		t.Errorf("%+v", c)
	}
}

// TestHeatMap has the least cost of each pair of values; what is not tried, not there
// or the same throughout is told apart.
func TestHeatMap(t *testing.T) {
	p := []tuning.Parameter{{Name: "same", Values: []float64{7, 8}}, {Name: "x", Values: []float64{1, 2}}, {Name: "y", Values: []float64{3, 4}}, {Name: "z", Values: []float64{5, 6}}}
	s := mustSpace(t, p, [][]uint16{{0, 0, 0, 0}, {0, 0, 0, 1}, {0, 1, 0, 0}, {0, 1, 0, 1}, {0, 0, 1, 0}})
	m, ok := HeatMapOf(s, []int{0, 1, 2, 3}, []float64{2, 1.9, 30, 31})
	if !ok || m.X != "x" || m.XShare < 0.9 {
		t.Fatalf("%+v", m)
	}
	if m.Y != "z" { // y does not differ among the trials, same nowhere
		t.Fatalf("y is %s", m.Y)
	}
	s = mustSpace(t, p[1:], [][]uint16{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {1, 0, 1}, {0, 1, 0}, {0, 1, 1}})
	m, ok = HeatMapOf(s, []int{0, 1, 2, 3, 4}, []float64{2, 1.9, 30, 31, 400})
	if !ok || m.X == "z" || m.Y == "z" {
		t.Fatalf("%+v", m)
	}
	at := func(x, y float64) float64 {
		if m.X == "y" {
			x, y = y, x
		}
		return m.Cost[slices.Index(m.YValues, y)][slices.Index(m.XValues, x)]
	}
	if at(1, 3) != 1.9 || at(2, 3) != 30 || at(1, 4) != 400 || !math.IsInf(at(2, 4), 1) {
		t.Errorf("%+v", m)
	}
	if _, ok := HeatMapOf(s, []int{0, 1}, []float64{2, 3}); ok {
		t.Error("a map of one parameter")
	}
}

// TestCosts of a result in time, energy and energy times delay, in the tables too.
func TestCosts(t *testing.T) {
	r := record.Result{Status: record.OK, Hot: &measure.Series{Samples: []float64{1, 3, 2}, Converged: true},
		Energy: &measure.Energy{Window: 10, Runs: 5, Channels: []measure.ChannelEnergy{{Sensor: "s", Channel: "c", Role: framework.Total, Energy: 30, Power: 3}}}}
	for o, want := range map[Objective]float64{Time: 2, Energy: 6, EDP: 12} {
		if got, err := o.cost(r); err != nil || got != want {
			t.Errorf("%s: %v, %v; want %v", o, got, err, want)
		}
	}
	x := Trial{Trial: tuning.Trial{OK: true, Cost: 6}, Result: r}
	if got := trialNumbers(x); got[0] != "2" || got[3] != "true" || got[4] != "6" || got[5] != "12" || got[6] != "6" {
		t.Errorf("%q", got)
	}
	x.Result.Energy.Absent = "no sensor"
	x.Result.Hot.Samples, x.OK = nil, false
	if got := strings.Join(trialNumbers(x), ""); got != "" {
		t.Errorf("%q of a trial without figures", got)
	}
	if _, err := Energy.cost(x.Result); err == nil || !strings.Contains(err.Error(), "no sensor") {
		t.Error(err)
	}
}

// TestVarying: what differs between a report's sweep points names them.
func TestVarying(t *testing.T) {
	task := func(n, m int64) TaskReport {
		return TaskReport{Algorithm: "toy", Version: "exact", Params: framework.Values{"N": framework.IntValue(n), "M": framework.IntValue(m), "A": framework.IntValue(n)}}
	}
	r := &Report{Tasks: []TaskReport{task(1, 5), task(3, 5)}}
	if got := r.Tasks[0].Varying(r); !slices.Equal(got, []string{"A", "N"}) {
		t.Errorf("%q", got)
	}
	if got := r.Tasks[0].Varying(&Report{Tasks: r.Tasks[:1]}); len(got) != 0 {
		t.Errorf("%q of one sweep point", got)
	}
	// What an exhaustive search cannot judge, and why.
	all := Reference{report: r}
	other := task(1, 5)
	for _, c := range []struct{ algorithm, version, want string }{
		{"toy", "exact", "the exhaustive search did not measure all of its space"},
		{"toy", "real", "the exhaustive search is of toy exact"},
		{"scan", "exact", "the exhaustive search is of toy exact"},
	} {
		other.Algorithm, other.Version = c.algorithm, c.version
		if got := all.whyNot(other); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.algorithm, c.version, got, c.want)
		}
	}
}

// TestWhatKernelsTake is the most of a point's launches.
func TestWhatKernelsTake(t *testing.T) {
	y := &toy{}
	o := y.options("random")
	o.Device, o.Facts = "cuda:0", plan.AnyGPU()
	s := y.open(t, `"versions": ["gpu"]`, o)
	task := s.Versions[0].Tasks[0]
	for i := range task.Space.Len() {
		s.compiled[task.Point(i).Key()] = compiled{launches: []offline.Launch{{Registers: 32, SharedBytes: 2048, Threads: 128}, {Registers: 40, SharedBytes: 1024, Threads: 64}}}
	}
	facts := s.KernelFacts(t.Context(), s.Versions[0])
	if registers, shared, ok := facts.Resources(0, 0); !ok || registers != 40 || shared != 2048 || facts.Threads(0, 0) != 128 {
		t.Errorf("%d registers, %d bytes, %d threads, ok %v", registers, shared, facts.Threads(0, 0), ok)
	}
	if info := s.info(); len(info.Devices) != 1 || info.Devices[0].ID != "cuda:0" {
		t.Errorf("%+v", info.Devices)
	}
	if info := y.open(t, `"versions": ["exact"]`, y.options("random")).info(); len(info.Devices) != 0 {
		t.Errorf("on a CPU %+v", info.Devices)
	}
}

// TestNothingChosen before the search, and the best trial after it; the trials are
// numbered from 1.
func TestNothingChosen(t *testing.T) {
	y := &toy{}
	s := y.open(t, `"versions": ["exact"], "tunables": {"A": [2], "B": [1, 2]}`, y.options("exhaustive"))
	task := s.Versions[0].Tasks[0]
	if task.chosen() != -1 {
		t.Errorf("point %d before the search", task.chosen())
	}
	dir := t.TempDir()
	if err := s.Run(t.Context(), journalIn(t, dir), nil, &show{}); err != nil {
		t.Fatal(err)
	}
	if task.chosen() != 1 {
		t.Errorf("point %d, want 1", task.chosen())
	}
	if err := s.writeTrials(safefiletest.Hold(t, dir)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, TrialsFile))
	lines := strings.Split(string(text), "\n")
	if err != nil || len(lines) != 4 || !strings.HasPrefix(lines[1], "1,toy,exact,") || !strings.HasPrefix(lines[2], "2,toy,exact,") {
		t.Errorf("%q, %v", lines, err)
	}
}

// TestFrontAgain: a choice of the front is drawn as its trial has it and as it is at length, joined; trials of
// other choices are not.
func TestFrontAgain(t *testing.T) {
	tunables := func(a int64) framework.Values { return framework.Values{"A": framework.IntValue(a)} }
	task := TaskReport{Space: []Values{{Name: "A", Values: []float64{1, 2}}}, Front: &FrontReport{Again: true,
		Points: []FrontPoint{{Tunables: tunables(2), Time: Estimate{Value: 1.1}, Energy: Estimate{Value: 5.5}}}}}
	rows := []Row{{Values: []float64{1}, Status: record.OK, Time: 1.2, Energy: 6}, {Values: []float64{2}, Status: record.OK, Time: 1, Energy: 5}, {Values: []float64{2}, Status: record.Failed}}
	f := task.timeEnergy("v", rows)
	if len(f.Again) != 1 || f.Again[0][0].X != 1 || f.Again[0][1].X != 1.1 || len(f.Others) != 2 {
		t.Errorf("%+v", f)
	}
	if task.Front.Again = false; len(task.timeEnergy("v", rows).Again) != 0 {
		t.Error("a front of trials alone is joined to itself")
	}
}
