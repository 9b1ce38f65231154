package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// MedianInterval is the confidence interval of the median of the samples, which
// are positive. It is the wider, at each end, of RankInterval and the one from
// blocks (WiderByBlocks). It is not ok where there are too few samples for the
// confidence, or where one is not positive.
func (s *Series) MedianInterval(confidence float64) (low, high float64, ok bool) {
	low, high, ok = s.RankInterval(confidence)
	if ok {
		low, high = s.WiderByBlocks(low, high, confidence)
	}
	return low, high, ok
}

// WiderByBlocks is low and high or, where it reaches further, Student's interval
// of the logarithms of BlockMedians, which counts noise that lasts for many
// samples ("batch means" of simulation output analysis; Law, "Simulation
// Modeling and Analysis").
func (s *Series) WiderByBlocks(low, high, confidence float64) (float64, float64) {
	blocks := s.BlockLogs()
	if blocks == nil {
		return low, high
	}
	_, half, _ := Student(blocks, confidence)
	median := s.Median()
	return min(low, median*math.Exp(-half)), max(high, median*math.Exp(half))
}

// RankInterval is the interval from order statistics. Where a sample resembles
// the one before by r (RankAutocorrelation), the ranks of its ends are
// √((1+r)/(1-r)) times as far from the median's, as for fewer independent
// samples, at most the first and the last. Samples and result are as
// MedianInterval's.
func (s *Series) RankInterval(confidence float64) (low, high float64, ok bool) {
	n := len(s.Sorted)
	k, ok := MedianRank(n, confidence)
	if !ok || !(s.Sorted[0] > 0) {
		return 0, 0, false
	}
	r := s.RankAutocorrelation()
	middle := float64(n-1) / 2
	away := (middle - float64(k-1)) * math.Sqrt((1+r)/(1-r))
	at := max(0, int(math.Floor(middle-away+1e-9))) // a whole rank may be off by rounding
	return s.Sorted[at], s.Sorted[n-1-at], true
}

// MedianRank returns the largest k such that the k-th smallest and the k-th
// largest of n independent samples enclose the median of their distribution,
// whatever it is, with at least the given confidence: the number of samples
// below the median is Binomial(n, 1/2), so the interval misses it with
// probability 2·P(B < k), and this is exact for a continuous distribution
// (Hahn and Meeker, "Statistical Intervals: A Guide for Practitioners",
// distribution-free intervals for a percentile). It is not ok where n is too
// small for any k.
func MedianRank(n int, confidence float64) (k int, ok bool) {
	tail := (1 - confidence) / 2
	b := distuv.Binomial{N: float64(n), P: 0.5}
	low, high := 0, n // CDF(low-1) <= tail holds, CDF(high-1) <= tail does not
	for high-low > 1 {
		if mid := (low + high) / 2; b.CDF(float64(mid-1)) <= tail {
			low = mid
		} else {
			high = mid
		}
	}
	return low, low > 0
}
