package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Confidence is the level of the intervals that are shown.
const Confidence = 0.95

// Summary describes samples, in their unit but for Count; Low and High bound
// the 95 % confidence interval of the median. A quantity that the samples are
// too few for is NaN.
type Summary struct {
	Count                    int
	Median, Q1, Q3, Min, Max float64
	Mean, Stdev, Low, High   float64
}

// Interval is the larger distance from the median to an end of its interval,
// relative to the median; NaN where there is no interval.
func (s Summary) Interval() float64 { return max(s.High-s.Median, s.Median-s.Low) / s.Median }

// Summarize describes samples in any order; it leaves them as they are. A
// quantity that the samples are too few for is NaN: all of them without a
// sample, Stdev below two, Low and High below six, where even the interval
// from Min to Max holds the median with less than 95 % confidence.
func Summarize(samples []float64) Summary {
	nan := math.NaN()
	s := Summary{
		Count: len(samples), Median: nan, Q1: nan, Q3: nan, Min: nan, Max: nan,
		Mean: nan, Stdev: nan, Low: nan, High: nan,
	}
	if len(samples) == 0 {
		return s
	}
	sorted := slices.Sorted(slices.Values(samples))
	s.Min, s.Max = sorted[0], sorted[len(sorted)-1]
	s.Q1, s.Median, s.Q3 = Quantile(sorted, 0.25), Quantile(sorted, 0.5), Quantile(sorted, 0.75)
	s.Mean, s.Stdev = stat.MeanStdDev(sorted, nil)
	if len(sorted) == 1 {
		s.Stdev = nan
	}
	if k, ok := MedianRank(len(sorted), Confidence); ok {
		s.Low, s.High = sorted[k-1], sorted[len(sorted)-k]
	}
	return s
}

// Quantile is that of sorted, which is not empty, for p in [0, 1]. It
// interpolates linearly between order statistics (definition 7 of Hyndman and
// Fan, "Sample Quantiles in Statistical Packages").
func Quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	i := int(at)
	if i >= len(sorted)-1 {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// Median is that of samples in any order, at least one; it leaves them as they
// are.
func Median(samples []float64) float64 {
	return Quantile(slices.Sorted(slices.Values(samples)), 0.5)
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
