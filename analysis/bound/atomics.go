package bound

import "example.org/bench/analysis/trace"

// atomics returns the seconds for which atomic operations of a launch occupy the busiest unit of the L2
// cache. The unit takes the operations on an address, and the sectors of a line, one after the other.
func (m Machine) atomics(l *trace.Launch, ch change) float64 {
	hot, line, all := l.Hottest, l.HottestLine, l.PerLaunch().AtomicSectors
	if ch&noAtomics != 0 && hot.Threads > 0 { // one of each block on each address
		blocks, turns := float64(l.Grid.Count()), hot.Warps
		if hot.Float {
			turns = hot.Threads
		}
		part := min(1, blocks/hot.Threads)
		hot.Warps = min(hot.Warps, hot.Threads*part)
		hot.Threads, all = hot.Threads*part, all*part
		// Neighbouring lanes then add to neighbouring words: a block takes a turn for each sector of the
		// line.
		line = min(line, blocks*min(sectorsOfLine, line/max(1, turns)))
	}
	one, each, turn := hot.Warps, m.AtomicInteger, m.AtomicLine
	if l.OneLine { // the line shares the unit with no other, and an operation on it takes as long as one that no other joins
		turn = min(turn, max(m.AtomicInteger, m.AtomicFloat))
	}
	if hot.Float {
		one, each = hot.Threads, m.AtomicFloat
	}
	return max(one*each+max(0, line-one)*turn, all*m.AtomicSector)
}
