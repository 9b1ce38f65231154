package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// MedianInterval returns the confidence interval of the median of the samples,
// which are positive. Each end is the further one of RankInterval and the
// interval from blocks (WiderByBlocks). ok is false if there are too few samples
// for the confidence, or one is not positive.
func (s *Series) MedianInterval(confidence float64) (low, high float64, ok bool) {
	low, high, ok = s.RankInterval(confidence)
	if ok {
		low, high = s.WiderByBlocks(low, high, confidence)
	}
	return low, high, ok
}

// WiderByBlocks returns low and high, each moved out to the end of the interval
// from blocks if that is further. That interval is as wide, in logarithms, as
// Student's of BlockLogs, about the median of the samples. It takes in noise that
// lasts for many samples ("batch means" of simulation output analysis; Law,
// "Simulation Modeling and Analysis").
func (s *Series) WiderByBlocks(low, high, confidence float64) (float64, float64) {
	blocks := s.BlockLogs()
	if blocks == nil {
		return low, high
	}
	_, half, _ := Student(blocks, confidence)
	median := s.Median()
	return min(low, median*math.Exp(-half)), max(high, median*math.Exp(half))
}

// RankInterval returns the interval of the median from order statistics. With a
// rank autocorrelation of r (RankAutocorrelation), the ranks of its ends are
// √((1+r)/(1-r)) times as far from the median's, as for fewer independent
// samples, but at most the first and the last. Samples and results are as for
// MedianInterval.
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
// whatever it is, with at least the given confidence. The number B of samples
// below the median is Binomial(n, 1/2), so the interval misses the median with
// probability 2·P(B < k). This is exact for a continuous distribution (Hahn and
// Meeker, "Statistical Intervals: A Guide for Practitioners", distribution-free
// intervals for a percentile). ok is false if n is too small for any k.
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
