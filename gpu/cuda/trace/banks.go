package trace

import (
	"slices"

	"example.org/bench/gpu/cuda/ptx"
)

// passes returns the number of accesses to shared memory that an instruction needs. A bank gives one word
// at a time, to all lanes that want it, and an access of 8 or 16 bytes a lane is made in halves or
// quarters of the warp ("CUDA C++ Programming Guide", shared memory).
func (r *recorder) passes(e *ptx.Event) (total int) {
	group := ptx.WarpSize
	switch {
	case e.Bytes >= 16:
		group = ptx.WarpSize / 4
	case e.Bytes >= 8:
		group = ptx.WarpSize / 2
	}
	for first := 0; first < ptx.WarpSize; first += group {
		r.sorted = r.sorted[:0]
		for lane := first; lane < first+group; lane++ {
			if e.Active>>lane&1 == 0 {
				continue
			}
			for a := e.Addresses[lane] / bankBytes; a <= (e.Addresses[lane]+uint64(e.Bytes)-1)/bankBytes; a++ {
				r.sorted = append(r.sorted, a)
			}
		}
		slices.Sort(r.sorted)
		var words [banks]int
		most := 0
		for _, a := range slices.Compact(r.sorted) {
			words[a%banks]++
			most = max(most, words[a%banks])
		}
		total += most
	}
	return total
}
