package bound

import (
	"testing"

	"example.org/bench/analysis/ptx"
	"example.org/bench/analysis/trace"
)

// Operations on an address, on the other sectors of a line, and on all lines take the unit that has them.
func TestAtomics(t *testing.T) {
	m := Machine{AtomicInteger: 1e-9, AtomicFloat: 2e-9, AtomicLine: 4e-9, AtomicSector: 0.01e-9}
	launch := func(hot trace.Atomics, line, all float64) *trace.Launch {
		return &trace.Launch{Grid: ptx.Dim3{X: 10, Y: 1, Z: 1}, Blocks: []*trace.Block{{}}, Total: trace.Counts{AtomicSectors: all / 10}, Hottest: hot, HottestLine: line}
	}
	for name, c := range map[string]struct {
		launch *trace.Launch
		ch     change
		want   float64
	}{
		"one integer":        {launch(trace.Atomics{Threads: 32000, Warps: 1000}, 1000, 1000), 0, 1e-6},
		"one float":          {launch(trace.Atomics{Threads: 32000, Warps: 1000, Float: true}, 32000, 32000), 0, 64e-6},
		"a table":            {launch(trace.Atomics{Threads: 1000, Warps: 1000}, 9000, 72000), 0, 33e-6},
		"everywhere":         {launch(trace.Atomics{Threads: 1, Warps: 1}, 1, 1e7), 0, 100e-6},
		"once a block":       {launch(trace.Atomics{Threads: 32000, Warps: 1000}, 1000, 1000), noAtomics, 10e-9},
		"a table by a block": {launch(trace.Atomics{Threads: 1000, Warps: 1000}, 9000, 72000), noAtomics, 0.33e-6},
		"none":               {launch(trace.Atomics{}, 0, 0), 0, 0},
	} {
		if got := m.atomics(c.launch, c.ch); !close(got, c.want) && got != c.want {
			t.Errorf("%s: %g s, want %g", name, got, c.want)
		}
	}
}

// A sector that is on its way is there for others when it arrives, and not before.
func TestSectorsOnTheirWay(t *testing.T) {
	s := &multiprocessor{tags: make([]tag, waysOfL1), sets: 1}
	if s.cached(7) != nil {
		t.Error("it is there before anyone asked")
	}
	x := s.cached(7)
	if x == nil || x.from != 0 {
		t.Fatalf("%+v", x)
	}
	x.from = 500
	for other := range uint64(waysOfL1 - 1) {
		s.cached(100 + other)
	}
	if x := s.cached(7); x == nil || x.from != 500 {
		t.Errorf("%+v", x)
	}
	for other := range uint64(waysOfL1) {
		s.cached(200 + other)
	}
	if s.cached(7) != nil {
		t.Error("it was not replaced")
	}
}
