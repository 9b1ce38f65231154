package bound

import (
	"math"
	"testing"

	"example.org/bench/analysis/trace"
	"example.org/bench/framework"
)

// No change is promised more than what it leaves as busy as it is allows: at 96 % of the
// memory's rate, 1/0.96.
func TestMostOfAChange(t *testing.T) {
	e := &estimate{in: Input{Time: 1e-3, Work: framework.Work{NominalBytes: 2.4e9}, Machine: Machine{DRAM: 3e12}}}
	busy := []Use{{memoryUse, 0.96, Memory}, {issued, 0.5, Compute}}
	for change, want := range map[string]float64{
		"memory-parallelism": 1 / 0.96, "occupancy": 1 / 0.96, "divisions": 1 / 0.96, fullClock: 1 / 0.96,
		"coalesce": 1 / 0.8, "reuse": 1 / 0.8, // the problem's bytes are 0.8 of the time
	} {
		if got := e.most(change, busy); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", change, got, want)
		}
	}
	computes := []Use{{issued, 0.9, Compute}, {memoryUse, 0.1, Memory}}
	for change, want := range map[string]float64{"divisions": 10, "coalesce": 1 / 0.9, "larger-grid": 1 / 0.9} {
		if got := e.most(change, computes); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", change, got, want)
		}
	}
	// Of the problem's bytes threads may ask for half: no more has to be moved.
	e.groups = []*group{{times: 2, counts: trace.Counts{GlobalBytes: 0.6e9}}}
	if got := e.most("coalesce", busy); math.Abs(got-1/0.5) > 1e-9 {
		t.Errorf("of half the bytes: %v", got)
	}
	// Caches may give more than memory does, and nothing may be known.
	if got := e.most("occupancy", []Use{{memoryUse, 1.3, Memory}}); got != 1 {
		t.Errorf("beyond the roof: %v", got)
	}
	if got := e.most("occupancy", nil); got < 1e6 {
		t.Errorf("of no use: %v", got)
	}
}

// Every change that relieves something is in the catalogue, or the clock's.
func TestRelieves(t *testing.T) {
	for name := range relieves {
		found := name == fullClock
		for _, p := range catalogue {
			found = found || p.name == name
		}
		if !found {
			t.Errorf("there is no change %s", name)
		}
	}
}
