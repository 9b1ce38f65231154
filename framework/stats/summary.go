package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Confidence is the level of the intervals that are shown.
const Confidence = 0.95

// Summary describes samples. All but Count is in their unit. Low and High are
// the ends of the 95 % confidence interval of the median (MedianInterval), Q1
// and Q3 those of the middle half of the samples. A quantity that the samples
// are too few for is NaN.
type Summary struct {
	Count                    int
	Median, Q1, Q3, Min, Max float64
	Mean, Stdev, Low, High   float64
}

// Interval returns the larger distance from the median to an end of its
// interval, relative to the median; NaN if there is no interval.
func (s Summary) Interval() float64 { return max(s.High-s.Median, s.Median-s.Low) / s.Median }

// Summarize describes samples, which are in the order taken. It does not change
// them. Without a sample all quantities are NaN, with one Stdev is, and Low and
// High are where MedianInterval has none.
func Summarize(samples []float64) Summary {
	nan := math.NaN()
	s := Summary{
		Count: len(samples), Median: nan, Q1: nan, Q3: nan, Min: nan, Max: nan,
		Mean: nan, Stdev: nan, Low: nan, High: nan,
	}
	if len(samples) == 0 {
		return s
	}
	series := NewSeries(samples)
	sorted := series.Sorted
	s.Min, s.Max = sorted[0], sorted[len(sorted)-1]
	s.Q1, s.Median, s.Q3 = Quantile(sorted, 0.25), Quantile(sorted, 0.5), Quantile(sorted, 0.75)
	s.Mean, s.Stdev = stat.MeanStdDev(sorted, nil)
	if len(sorted) == 1 {
		s.Stdev = nan
	}
	if low, high, ok := series.MedianInterval(Confidence); ok {
		s.Low, s.High = low, high
	}
	return s
}

// Quantile returns the p-quantile of sorted, which is not empty, for p in [0, 1]. It
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

// Median returns the median of samples, at least one, in any order. It does not
// change them.
func Median(samples []float64) float64 {
	return Quantile(slices.Sorted(slices.Values(samples)), 0.5)
}
