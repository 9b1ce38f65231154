package trace

import (
	"slices"

	"example.org/bench/analysis/ptx"
)

// passes returns the number of passes through shared memory that an instruction needs. In one, a bank gives
// one word, to all lanes that want it. An access of 8 bytes a lane is made in halves of the warp, one of 16
// bytes in quarters ("CUDA C++ Programming Guide", shared memory). Where no bank has to give two words, it is
// made in the whole or in halves: counters showed two passes where all lanes read the same 16 bytes.
func (r *recorder) passes(e *ptx.Event) (total int) {
	group := ptx.WarpSize
	switch {
	case e.Bytes >= 16:
		group = ptx.WarpSize / 2
	case e.Bytes >= 8:
	default:
		return r.pass(e, 0, group)
	}
	for first := 0; first < ptx.WarpSize; first += group {
		n := r.pass(e, first, group)
		if n > 1 {
			n = r.pass(e, first, group/2) + r.pass(e, first+group/2, group/2)
		}
		total += n
	}
	return total
}

// pass returns the largest number of words that a bank has to give to these lanes.
func (r *recorder) pass(e *ptx.Event, first, lanes int) (most int) {
	r.sorted = r.sorted[:0]
	for lane := first; lane < first+lanes; lane++ {
		if e.Active>>lane&1 == 0 {
			continue
		}
		for a := e.Addresses[lane] / bankBytes; a <= (e.Addresses[lane]+uint64(e.Bytes)-1)/bankBytes; a++ {
			r.sorted = append(r.sorted, a)
		}
	}
	slices.Sort(r.sorted)
	var words [banks]int
	for _, a := range slices.Compact(r.sorted) {
		words[a%banks]++
		most = max(most, words[a%banks])
	}
	return most
}

// quarters returns for how many quarters of a cycle the sorted sectors occupy the first-level cache. In a cycle
// it looks up a line in each of its four sets, to which lines belong in turn, and moves four sectors. What
// conflicts of its banks cost, passes counts.
func quarters(sectors []uint64) int {
	const perLine, sets = lineBytes / sectorBytes, 4
	var found [sets]int
	for k, s := range sectors {
		if line := s / perLine; k == 0 || line != sectors[k-1]/perLine {
			found[line%sets]++
		}
	}
	return max(4*slices.Max(found[:]), len(sectors))
}

// lines returns the number of 128-byte lines that contain the sorted sectors.
func lines(sectors []uint64) (n int) {
	for k, s := range sectors {
		if k == 0 || s/(lineBytes/sectorBytes) != sectors[k-1]/(lineBytes/sectorBytes) {
			n++
		}
	}
	return n
}
