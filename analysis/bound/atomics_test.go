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
		"a table by a block": {launch(trace.Atomics{Threads: 1000, Warps: 1000}, 9000, 72000), noAtomics, 0.13e-6}, // a block takes a turn for each of the four sectors of a line
		"none":               {launch(trace.Atomics{}, 0, 0), 0, 0},
	} {
		if got := m.atomics(c.launch, c.ch); !close(got, c.want) && got != c.want {
			t.Errorf("%s: %g s, want %g", name, got, c.want)
		}
	}
	alone := launch(trace.Atomics{Threads: 1000, Warps: 1000}, 9000, 9000)
	alone.OneLine = true // it shares the unit with no other line
	if got := m.atomics(alone, 0); !close(got, 17e-6) {
		t.Errorf("one line: %g s", got)
	}
}

// What is stored in local memory goes through to the L2 cache, what is loaded from there does not.
func TestLocalMemory(t *testing.T) {
	s := &multiprocessor{m: Machine{L2: 4, L2Written: 2, SharedWaves: 1}, l2Cycle: 32}
	x := &trace.Step{Space: ptx.Local, Sectors: 4}
	if s.access(&warp{}, x, &ptx.Instruction{Load: true}, 0); s.l2 != 0 || s.lsu != 1 {
		t.Errorf("a load: %v, %v", s.l2, s.lsu)
	}
	if s.access(&warp{}, x, &ptx.Instruction{Store: true}, 0); s.l2 != 8 || s.lsu != 2 {
		t.Errorf("a store: %v, %v", s.l2, s.lsu)
	}
}

// A block brings what a change keeps in shared memory there first: its constants one after the other, or its sectors.
func TestFilled(t *testing.T) {
	b := &trace.Block{Constants: 10, Read: 8}
	m := Machine{ConstantTurn: 3, SharedLatency: 20, L2Latency: 100, DRAMLatency: 300, SharedWaves: 1}
	for ch, want := range map[change]float64{0: 7, oneAddress: 7 + 30 + 20, reused: 7 + 8 + 300 + 20 + barrierCost} {
		s := &multiprocessor{m: m, ch: ch, t: traffic{portion: 1, requests: 256, readTime: 256}, l2Cycle: 64, dramCycle: 32, perScheduler: 1}
		if got := s.filled(b, 7); got != want {
			t.Errorf("%d: %v, want %v", ch, got, want)
		}
	}
}

// What a division becomes waits for each other; what decides between ways is beside it.
func TestLatencyOfParts(t *testing.T) {
	m := Machine{Issue: 4}
	m.Latency[ptx.FP32], m.Latency[ptx.SFU], m.Latency[ptx.Control] = 4, 18, 4
	if got := m.latency(ptx.FP32, []ptx.Part{{Class: ptx.FP32, Count: 5}, {Class: ptx.SFU, Count: 2}, {Class: ptx.Control, Count: 3}}); got != 38 {
		t.Errorf("a division: %v", got)
	}
	if got := m.latency(ptx.FP32, []ptx.Part{{Class: ptx.FP32, Count: 3}}); got != 6 {
		t.Errorf("three: %v", got)
	}
}

// A sector that is on its way is there for others when it arrives, and not before.
func TestSectorsOnTheirWay(t *testing.T) {
	s := &multiprocessor{tags: make([]tag, waysOfL1), sets: 1}
	if s.cached(7) != nil {
		t.Error("it is there before anyone asked")
	}
	x := s.cached(7)
	if x == nil || *x != 0 {
		t.Fatalf("%+v", x)
	}
	*x = 500
	for other := range uint64(3) { // of its line
		s.cached(4 + other)
	}
	for other := range uint64(waysOfL1 - 1) {
		s.cached(4 * (100 + other))
	}
	if x := s.cached(7); x == nil || *x != 500 {
		t.Errorf("%+v", x)
	}
	for other := range uint64(waysOfL1) {
		s.cached(4 * (200 + other))
	}
	if s.cached(7) != nil {
		t.Error("it was not replaced")
	}
}
