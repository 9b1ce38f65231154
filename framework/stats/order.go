package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Blocks is the number of consecutive blocks that BlockMedians cuts samples
// into, and leastBlock the fewest samples in a block.
const (
	Blocks     = 12
	leastBlock = 5
)

// BlockMedians returns the medians of consecutive blocks of samples, which are
// in the order taken. They show noise that lasts longer than a sample. It returns
// nil for too few samples. Samples after the last full block are left out.
func BlockMedians(samples []float64) []float64 {
	size := len(samples) / Blocks
	if size < leastBlock {
		return nil
	}
	medians, block := make([]float64, Blocks), make([]float64, size)
	for i := range medians {
		copy(block, samples[i*size:])
		slices.Sort(block)
		medians[i] = Quantile(block, 0.5)
	}
	return medians
}

func blockLogs(samples []float64) []float64 {
	blocks := BlockMedians(samples)
	for i, m := range blocks {
		blocks[i] = math.Log(m)
	}
	return blocks
}

// RankAutocorrelation returns the correlation of a sample's rank with that of
// the one before (lag 1), between 0 and 0.98; 0 for fewer than ten samples.
// n samples of a first-order autoregressive process with correlation r tell as
// much about their mean as n(1-r)/(1+r) independent ones (Box, Jenkins and
// Reinsel, "Time Series Analysis").
func (s *Series) RankAutocorrelation() float64 { return autocorrelation(s.ranks, len(s.ranks)) }

// autocorrelation returns the lag-1 autocorrelation of ranks, each less the mean
// of its part: the ranks before cut, or those from there on.
func autocorrelation(ranks []float64, cut int) float64 {
	const least, most = 10, 0.98
	if len(ranks) < least {
		return 0
	}
	n := float64(len(ranks))
	product, square, before := 0.0, 0.0, 0.0
	for _, part := range [][]float64{ranks[:cut], ranks[cut:]} {
		if len(part) == 0 {
			continue
		}
		mean := stat.Mean(part, nil)
		for _, r := range part {
			off := r - mean
			square += off * off
			product += off * before
			before = off
		}
	}
	if square == 0 {
		return 0
	}
	// The estimate is too low by about (1 + 4r)/n (Kendall, "Note on Bias in the
	// Estimation of Autocorrelation").
	return min(most, max(0, (product/square+1/n)/(1-4/n)))
}

// ChangePoint returns the index at where to cut the series so that the ranks of
// the two parts differ most, by how many standard deviations z they do, and the
// autocorrelation r of the ranks within the parts. It tries Wilcoxon's rank-sum
// statistic, corrected for ties, at each cut that leaves two samples on either
// side (Pettitt, "A Non-parametric Approach to the Change-point Problem"). The
// statistic is standardised, so that it sees changes near the ends. z is 0 for
// fewer than four samples, and for equal ones, whose variance is 0.
func (s *Series) ChangePoint() (at int, z, r float64) {
	n := float64(len(s.ranks))
	variance := (n + 1 - s.ties/(n*(n-1))) / 12
	if n < 4 {
		return 0, 0, 0
	}
	sum := s.ranks[0]
	for i := 1; i < len(s.ranks)-2; i++ {
		sum += s.ranks[i]
		k := float64(i + 1)
		if d := math.Abs(sum-k*(n+1)/2) / math.Sqrt(k*(n-k)*variance); d > z {
			at, z = i+1, d
		}
	}
	return at, z, autocorrelation(s.ranks, at)
}
