package bound

import "example.org/bench/analysis/trace"

// fused is what one launch in place of all gains. Where each has as many threads, a thread of one can hold in
// registers what the next asks for: what an earlier launch touched is not read again, and only what is written
// last, and not read afterwards, is.
func (e *estimate) fused() float64 {
	m := e.in.Machine
	if !e.alike() {
		return e.gainOf(e.base.kernels + m.Empty)
	}
	last := map[uint64]*trace.Launch{}
	reads := map[uint64]bool{} // whether its last launch only reads it
	for _, l := range e.in.Launches {
		for _, b := range l.Buffers {
			last[b.First], reads[b.First] = l, b.Written == 0
		}
	}
	t := e.sum(func(g *group) timed {
		l := *g.launch
		l.Buffers = nil
		var kept []trace.Buffer
		for _, b := range g.launch.Buffers {
			if b.Warm {
				b.Read, b.Reads = 0, 0
			}
			if last[b.First].Blocks[0] != l.Blocks[0] || reads[b.First] {
				b.Written, b.Writes = 0, 0
			}
			if b.Read+b.Written == 0 {
				kept = append(kept, b)
			}
			l.Buffers = append(l.Buffers, b)
		}
		less := trafficOf(m, &l)
		less.kept = kept
		ch := change(0)
		if g != e.groups[0] {
			ch = fewBlocks
		}
		return simulate(m, &l, less, ch)
	})
	return e.gainOf(t.kernels + m.Empty)
}

// alike tells whether all launches have as many threads, so that a thread may do the work of one of each.
func (e *estimate) alike() bool {
	for _, l := range e.in.Launches {
		first := e.in.Launches[0]
		if l.Grid.Count()*l.Block.Count() != first.Grid.Count()*first.Block.Count() {
			return false
		}
	}
	return true
}

// halved is what float16 in memory gains, of the accesses that are of float32.
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
