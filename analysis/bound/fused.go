package bound

import (
	"fmt"

	"example.org/bench/analysis/trace"
)

// fused returns the gain of one launch in place of all. If all launches have as many threads, a thread can
// hold in registers what the next launch reads: data that an earlier launch touched are not read again, and
// only the last launch that touches them writes them.
func (e *estimate) fused() float64 {
	m := e.in.Machine
	if !e.alike() {
		return e.gainOf(e.base.kernels + m.Empty)
	}
	touched := map[uint64]touch{}
	for n, l := range e.in.Launches {
		for _, b := range l.Buffers {
			x, again := touched[b.First]
			if !again {
				x.first = n
			}
			x.last, x.read = n, b.Written == 0
			touched[b.First] = x
		}
	}
	kernels := 0.0
	same := map[*trace.Block]map[string]float64{} // the times of equal launches, by which of their buffers registers hold
	for n, l := range e.in.Launches {
		one, key := *l, ""
		var kept []trace.Buffer
		one.Buffers = nil
		for _, b := range l.Buffers {
			x := touched[b.First]
			if x.first < n {
				b.Read, b.Reads = 0, 0
			}
			if x.last > n || x.read {
				b.Written, b.Writes = 0, 0
			}
			if b.Read+b.Written == 0 {
				kept = append(kept, b)
			}
			key += fmt.Sprint(b.Read > 0, b.Written > 0)
			one.Buffers = append(one.Buffers, b)
		}
		ch := change(0)
		if n > 0 {
			ch = fewBlocks
		}
		key += fmt.Sprint(ch)
		if same[l.Blocks[0]] == nil {
			same[l.Blocks[0]] = map[string]float64{}
		}
		if _, ok := same[l.Blocks[0]][key]; !ok {
			less := trafficOf(m, &one)
			less.kept = kept
			took := simulate(m, &one, less, ch).seconds
			if len(kept) == len(one.Buffers) { // it waits for no memory, and other warps go on meanwhile
				took = min(took, e.computing(l))
			}
			same[l.Blocks[0]][key] = took
		}
		kernels += same[l.Blocks[0]][key]
	}
	return e.gainOf(kernels + m.Empty)
}

// computing returns for how long a launch needs the units that compute and issue.
func (e *estimate) computing(l *trace.Launch) (most float64) {
	for _, g := range e.groups {
		if g.launch.Blocks[0] != l.Blocks[0] {
			continue
		}
		for _, u := range e.needs(g) {
			if u.Class == Compute {
				most = max(most, u.Share)
			}
		}
	}
	return most
}

// touch is the first and the last launch that touch a buffer, and whether the last only reads it.
type touch struct {
	first, last int
	read        bool
}

// alike reports whether all launches have as many threads, so that a thread may do the work of one of each.
func (e *estimate) alike() bool {
	for _, l := range e.in.Launches {
		first := e.in.Launches[0]
		if l.Grid.Count()*l.Block.Count() != first.Grid.Count()*first.Block.Count() {
			return false
		}
	}
	return true
}

// halved returns the gain of float16 in memory, for the accesses that are of float32.
func (e *estimate) halved() float64 {
	m := e.in.Machine
	t := e.sum(func(g *group) timed {
		c, less := &g.counts, g.traffic
		f := 1 - c.Floats/max(1, c.GlobalLoads+c.GlobalStores)/2
		less.read, less.written, less.requests = f*less.read, f*less.written, f*less.requests
		less.portion *= f
		less.readTime, less.writeTime = f*less.readTime, f*less.writeTime
		return simulate(m, g.launch, less, halved)
	})
	return e.gainOf(t.total)
}
