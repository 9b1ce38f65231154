package analytical

import (
	"cmp"
	"slices"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/occupancy"
)

// The guideline for embedded GPUs of "Performance Tuning for GPU-Embedded
// Systems", section IV-A: both warps and blocks at their maximum; else the most
// blocks with the warp occupancy between 60 % and 100 %; else the most warps,
// and of those the most elements per thread. A larger radix is preferred even where
// it leaves fewer blocks. Two of its premises are applied as its section V
// does:
//
//   - shuffles replace shared memory wherever that keeps the warp occupancy in
//     the range (the choice at N = 128 of cyclic reduction);
//   - a larger radix must not by its registers push the warp occupancy below the
//     range (which keeps the radix of FFT and Wang-Mou at 4).
const leastOccupancy = 0.6

// Candidate is one setting of the tunables, as the guideline sees it.
type Candidate struct {
	Elements    int // per thread: P
	Radix       int // 0: the algorithm's cannot be chosen
	Threads     int // per block: L
	Shuffle     bool
	Registers   int // a thread
	SharedBytes int // bytes per block
}

// Choose returns the guideline's choice and how it fills a multiprocessor, or
// -1 where none can run.
func Choose(f gpu.Facts, list []Candidate) (int, occupancy.Occupancy) {
	filled := make([]occupancy.Occupancy, len(list))
	for i, c := range list {
		filled[i] = occupancy.Of(f, c.Threads, c.Registers, c.SharedBytes)
	}
	keep := func(from []int, test func(i int) bool) []int {
		var kept []int
		for _, i := range from {
			if test(i) {
				kept = append(kept, i)
			}
		}
		return kept
	}
	var all []int
	for i := range list {
		if filled[i].Blocks > 0 {
			all = append(all, i)
		}
	}
	if len(all) == 0 {
		return -1, occupancy.Occupancy{}
	}
	radix := largestRadix(list, filled, all)
	all = keep(all, func(i int) bool { return list[i].Radix == radix })
	inRange := func(i int) bool { return filled[i].Share >= leastOccupancy }
	if shuffled := keep(all, func(i int) bool { return list[i].Shuffle && inRange(i) }); len(shuffled) > 0 {
		all = shuffled
	}
	best := slices.MaxFunc(all, func(i, j int) int { return compare(f, list[i], filled[i], list[j], filled[j]) })
	return best, filled[best]
}

// largestRadix is the largest whose registers leave the warp occupancy in the
// range, else the smallest; 0 where the radix cannot be chosen.
func largestRadix(list []Candidate, filled []occupancy.Occupancy, all []int) int {
	largest, smallest := 0, 0
	for _, i := range all {
		r := list[i].Radix
		if smallest == 0 || r < smallest {
			smallest = r
		}
		if filled[i].RegisterShare >= leastOccupancy {
			largest = max(largest, r)
		}
	}
	return cmp.Or(largest, smallest)
}

// compare is by the guideline's steps; what they leave equal, by elements a thread
// and then by blocks.
func compare(f gpu.Facts, a Candidate, x occupancy.Occupancy, b Candidate, y occupancy.Occupancy) int {
	step := func(o occupancy.Occupancy) int {
		switch {
		case o.Share == 1 && o.Blocks >= f.MaxBlocksPerSM:
			return 2
		case o.Share >= leastOccupancy:
			return 1
		}
		return 0
	}
	if c := cmp.Compare(step(x), step(y)); c != 0 {
		return c
	}
	elements, blocks := cmp.Compare(a.Elements, b.Elements), cmp.Compare(x.Blocks, y.Blocks)
	switch step(x) {
	case 0:
		return cmp.Or(cmp.Compare(x.Share, y.Share), elements, blocks)
	case 1:
		return cmp.Or(blocks, elements)
	}
	return cmp.Or(elements, blocks)
}
