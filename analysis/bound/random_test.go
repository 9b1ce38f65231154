package bound

import (
	"math"
	"testing"

	"example.org/bench/analysis/ptx"
	"example.org/bench/analysis/trace"
	"example.org/bench/framework/record"
)

// Single sectors at random take memory longer than a copy's, and are lost and read again where the cache
// does not hold what lies between two accesses.
func TestTrafficAtRandom(t *testing.T) {
	m := MachineOf(facts, record.Ceilings{Copy: 3e12, MemorySectors: 3e12 / 96, MemorySectorsWritten: 3e12 / 320}, 0)
	const large, small = 1 << 30, 1 << 20
	launch := func(b trace.Buffer) *trace.Launch {
		return &trace.Launch{Grid: ptx.Dim3{X: 1, Y: 1, Z: 1}, Blocks: []*trace.Block{{Read: 1, Written: 1}}, Buffers: []trace.Buffer{b}}
	}
	stream := trafficOf(m, launch(trace.Buffer{Bytes: large, Read: large, Reads: 2 * large}))
	if stream.read != large || stream.readTime != large {
		t.Errorf("stream: %+v", stream)
	}
	gather := trafficOf(m, launch(trace.Buffer{Bytes: large, Read: large, Reads: 2 * large, Lone: 1}))
	if lost := 1 - 25.0*(1<<20)/large; math.Abs(gather.requests/large-((1-math.Exp(-4))/2+(1.5+math.Exp(-4)/2)*lost)) > 1e-9 || math.Abs(gather.readTime/gather.requests-3) > 1e-9 || gather.read != 2*gather.requests {
		t.Errorf("gather: %+v", gather)
	}
	table := trafficOf(m, launch(trace.Buffer{Bytes: small, Read: small, Reads: 1000 * small, Lone: 1}))
	if math.Abs(table.read/small-1) > 1e-9 || table.requests != small/2 {
		t.Errorf("table: %+v", table)
	}
	scatter := trafficOf(m, launch(trace.Buffer{Bytes: large, Written: large, Writes: large, LoneWritten: 1}))
	whole := trafficOf(m, launch(trace.Buffer{Bytes: large, Written: large, Writes: large, LoneWritten: 1, Whole: 1}))
	if math.Abs(scatter.writeTime/scatter.written-10) > 1e-9 || math.Abs(whole.writeTime/whole.written-3) > 1e-9 || whole.written != scatter.written {
		t.Errorf("scatter: %+v, %+v", scatter, whole)
	}
}

// Another turn of a block touches other sectors of the same allocation.
func TestElsewhere(t *testing.T) {
	s := &multiprocessor{l: &trace.Launch{Buffers: []trace.Buffer{{Bytes: 320, First: 100}}}}
	seen := map[uint64]bool{}
	for turn := range 3 {
		at := s.elsewhere(103, turn)
		if at < 100 || at >= 110 {
			t.Errorf("turn %d: %d", turn, at)
		}
		seen[at] = true
	}
	if len(seen) != 3 || s.elsewhere(103, 0) != 103 || s.elsewhere(7, 1) == 7 {
		t.Errorf("%v", seen)
	}
}
