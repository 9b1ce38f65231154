package bound

import "example.org/bench/analysis/trace"

// atomics is the seconds for which atomic operations of a launch occupy the unit of the L2 cache that has
// most of them: it takes the operations on an address, and the sectors of a line, one after the other.
func (m Machine) atomics(l *trace.Launch, ch change) float64 {
	hot, line, all := l.Hottest, l.HottestLine, l.PerLaunch().AtomicSectors
	if ch&noAtomics != 0 && hot.Threads > 0 { // one of each block
		part := min(1, float64(l.Grid.Count())/hot.Threads)
		hot.Warps = min(hot.Warps, hot.Threads*part)
		hot.Threads, line, all = hot.Threads*part, line*part, all*part
	}
	one, each, turn := hot.Warps, m.AtomicInteger, m.AtomicLine
	if l.OneLine { // it shares the unit with no other, and an operation on it takes as long as one that no other joins
		turn = min(turn, max(m.AtomicInteger, m.AtomicFloat))
	}
	if hot.Float {
		one, each = hot.Threads, m.AtomicFloat
	}
	return max(one*each+max(0, line-one)*turn, all*m.AtomicSector)
}
