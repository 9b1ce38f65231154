package tridiagonal

import "math/bits"

// The counts below follow the .cuh and .cu files operation by operation, as a
// profiler counts: a fused multiply-add is two, and the reciprocal in float32
// is none of the additions and multiplications. Where a product's sign goes to
// shared memory or to a shuffle, and not into the next operation, it takes an
// addition or a fused multiply-add of its own.

const seamFLOPs = 5 // beforeSeam, afterSeam

// reciprocalFLOPs is function reciprocal: two Newton steps in float64; of methods.cl a division there, and a step in float32.
func (s shape) reciprocalFLOPs() int64 {
	if s.opencl && s.double {
		return 1
	}
	if s.opencl {
		return 3
	}
	if s.double {
		return 8
	}
	return 0
}

// combineFLOPs is function combine, with the signs of a and c.
func (s shape) combineFLOPs() int64 { return 15 + s.reciprocalFLOPs() }

func (s shape) joinFLOPs() int64 { return 14 + s.reciprocalFLOPs() }

func (s shape) mergeFLOPs() int64 { return s.joinFLOPs() + 2*seamFLOPs }

func (s shape) growFLOPs() int64 { return s.joinFLOPs() + 4*seamFLOPs }

// eliminateFLOPs is function eliminate of so many rows.
func (s shape) eliminateFLOPs(rows int) int64 {
	total := (13 + s.reciprocalFLOPs()) * int64(rows-1)
	if s.shuffle {
		total += 3 + s.reciprocalFLOPs()
	}
	return total
}

// normaliseFLOPs is what Rows::read does where it does not leave b.
func (s shape) normaliseFLOPs() int64 {
	if s.shuffle {
		return 0
	}
	return (3 + s.reciprocalFLOPs()) * int64(s.P)
}

// separatorFLOPs is separators.cuh without the reduction.
func (s shape) separatorFLOPs() int64 {
	return s.normaliseFLOPs() + s.eliminateFLOPs(s.P-1) + 13 + s.reciprocalFLOPs() + 4*int64(s.P-1)
}

// blockFLOPs is blocks.cuh: blockOf and substitute.
func (s shape) blockFLOPs() int64 {
	return s.normaliseFLOPs() + s.eliminateFLOPs(s.P) + 4*int64(s.P)
}

// steps is log2 of the threads that share a system.
func (s shape) steps() int64 { return int64(bits.Len(uint(s.threads())) - 1) }

func pcrFLOPs(s shape) int64 { return s.separatorFLOPs() + s.reductionFLOPs() }

// reductionFLOPs is parallel cyclic reduction, whose last step needs no a and c.
func (s shape) reductionFLOPs() int64 { return s.steps()*s.combineFLOPs() - 4 }

// boards is how many steps exchange between warps, where others shuffle.
func (s shape) boards() int64 {
	if !s.shuffle {
		return 0
	}
	return max(0, s.steps()-5)
}

// crFLOPs counts the mean over the threads of a system, of which T-1 eliminate
// on the way forward and T-1 on the way back. By shuffles, threads that do not
// eliminate take part in some of it: what is added for that was measured.
func crFLOPs(s shape) int64 {
	total := s.separatorFLOPs() + (s.combineFLOPs()+4)*int64(s.threads()-1)/int64(s.threads())
	if s.shuffle {
		total += 2 + s.reciprocalFLOPs()*3/2
	}
	return total
}

// lfFLOPs counts the mean: half of the threads merge in a step. What exchanges
// between warps add (signs that go to shared memory), and one more reciprocal in
// float64, were measured.
func lfFLOPs(s shape) int64 {
	total := s.blockFLOPs() + s.steps()*(s.mergeFLOPs()+3)/2 + 8 + 2*s.reciprocalFLOPs()
	if b := s.boards(); b > 0 {
		total += 3 * b / 2
	}
	return total
}

// wmFLOPs follows Step: a step of radix 2^k grows the block k times and merges
// 2^k - 1 - k pairs of others. The last needs neither the block nor what the
// unknowns around the rows depend on. What exchanges between warps add was
// measured.
func wmFLOPs(s shape) int64 {
	total := s.blockFLOPs() - 4*seamFLOPs + 4
	for size := 1; size < s.threads(); {
		end := s.threads()
		if s.shuffle && size < 32 {
			end = min(end, 32)
		}
		count := min(end/size, s.radix)
		k := bits.Len(uint(count)) - 1
		total += int64(k)*s.growFLOPs() + int64(count-1-k)*s.mergeFLOPs()
		size *= count
	}
	if b := s.boards(); b > 0 {
		total += 8 + 2*b
	}
	return total
}
