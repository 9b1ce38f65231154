package trace

import (
	"math"
	"math/bits"
	"strings"

	"example.org/bench/analysis/ptx"
)

// hot counts an atomic operation of a warp, by address and by line: the sectors of a line take turns, and so do lanes
// that add floats to one of its addresses.
func (r *recording) hot(e *ptx.Event, i *ptx.Instruction) {
	float := strings.Contains(i.Text, ".f")
	own, sectors, turns := map[uint64]float64{}, map[uint64]float64{}, map[uint64]float64{}
	for m := e.Active; m != 0; m &= m - 1 {
		at := e.Addresses[bits.TrailingZeros32(m)]
		own[at]++
		sector := at / sectorBytes
		if !float { // joined for the warp
			sectors[sector] = 1
		} else {
			sectors[sector] = max(sectors[sector], own[at])
		}
	}
	for at, n := range own {
		a := r.atomics[at]
		a.Threads += n
		a.Warps++
		a.Float = a.Float || float
		r.atomics[at] = a
	}
	for sector, n := range sectors {
		turns[sector*sectorBytes/lineBytes]++
		r.block.Counts.AtomicSectors += n
	}
	for sector, n := range sectors {
		line := sector * sectorBytes / lineBytes
		turns[line] = max(turns[line], n)
	}
	for line, n := range turns {
		r.lines[line] += n
	}
}

// hottest finds the address and the line that get most atomic operations; the whole launch has f times as
// many. Of n that are alike, one gets more than the mean x by chance in a few blocks: about x + √(2 x ln n).
func (l *Launch) hottest(r *recorder, f float64) {
	mean := func(most float64, n int) float64 {
		return max(0, most-math.Sqrt(2*most*math.Log(float64(max(1, n)))))
	}
	var most Atomics
	for _, a := range r.atomics {
		if a.Threads > most.Threads {
			most = a
		}
	}
	if most.Threads > 0 {
		part := f * mean(most.Threads, len(r.atomics)) / most.Threads
		l.Hottest = Atomics{part * most.Threads, part * most.Warps, most.Float}
	}
	line := 0.0
	for _, n := range r.lines {
		line = max(line, n)
	}
	l.HottestLine, l.OneLine = f*mean(line, len(r.lines)), len(r.lines) == 1
}
