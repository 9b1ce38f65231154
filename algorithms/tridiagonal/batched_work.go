package tridiagonal

import "math/bits"

// The counts below follow the .cuh and .cu files operation by operation; a
// fused multiply-add is two, as profilers count, a reciprocal one.

const (
	combineFLOPs = 14
	joinFLOPs    = 15
	seamFLOPs    = 5 // beforeSeam, afterSeam
	mergeFLOPs   = joinFLOPs + 2*seamFLOPs
	growFLOPs    = joinFLOPs + 4*seamFLOPs
)

// eliminateFLOPs is function eliminate of so many rows.
func (s shape) eliminateFLOPs(rows int) int64 {
	total := 14 * int64(rows-1)
	if s.shuffle {
		total += 4
	}
	return total
}

// normaliseFLOPs is what Rows::read does where it does not leave b.
func (s shape) normaliseFLOPs() int64 {
	if s.shuffle {
		return 0
	}
	return 4 * int64(s.P)
}

// separatorFLOPs is separators.cuh without the reduction.
func (s shape) separatorFLOPs() int64 {
	return s.normaliseFLOPs() + s.eliminateFLOPs(s.P-1) + 14 + 4*int64(s.P-1)
}

// blockFLOPs is blocks.cuh: blockOf and substitute.
func (s shape) blockFLOPs() int64 {
	return s.normaliseFLOPs() + s.eliminateFLOPs(s.P) + 4*int64(s.P)
}

// steps is log2 of the threads that share a system.
func (s shape) steps() int64 { return int64(bits.Len(uint(s.threads())) - 1) }

func pcrFLOPs(s shape) int64 { return s.separatorFLOPs() + s.steps()*combineFLOPs }

// crFLOPs counts the mean over the threads of a system, of which T-1 eliminate
// on the way forward and T-1 on the way back.
func crFLOPs(s shape) int64 {
	return s.separatorFLOPs() + (combineFLOPs+4)*int64(s.threads()-1)/int64(s.threads())
}

// lfFLOPs counts the mean: half of the threads merge in a step.
func lfFLOPs(s shape) int64 {
	return s.blockFLOPs() + s.steps()*(mergeFLOPs+3)/2 + 9 + 2
}

// wmFLOPs follows Step: a step of radix 2^k grows the block k times and merges
// 2^k - 1 - k pairs of others.
func wmFLOPs(s shape) int64 {
	total := s.blockFLOPs()
	for size := 1; size < s.threads(); {
		end := s.threads()
		if s.shuffle && size < 32 {
			end = min(end, 32)
		}
		count := min(end/size, s.radix)
		k := bits.Len(uint(count)) - 1
		total += int64(k)*growFLOPs + int64(count-1-k)*mergeFLOPs
		size *= count
	}
	return total
}
