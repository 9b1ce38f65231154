package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// QuantileRanks returns the ranks, counted from 1, of the order statistics of n samples
// that enclose the p-quantile of their distribution with the confidence. The number of
// samples below the quantile is Binomial(n, p), so the interval is exact for
// independent samples of any continuous distribution (Hahn and Meeker, "Statistical
// Intervals", distribution-free intervals for a percentile). inflation is the factor,
// at least 1, by which the variance of that number exceeds that of independent samples
// (Inflation). The interval is then that of n/inflation samples. A rank of 0, or above
// n, means that no sample bounds the quantile on that side.
func QuantileRanks(n int64, p, confidence, inflation float64) (low, high int64) {
	tail := (1 - confidence) / 2
	trials := math.Max(1, math.Floor(float64(n)/math.Max(1, inflation)))
	b := distuv.Binomial{N: trials, P: p}
	scale := float64(n) / trials
	// The largest l with P(B < l) <= tail, and the least h with P(B >= h) <= tail.
	l := least(trials, func(k float64) bool { return b.CDF(k) > tail })
	h := least(trials, func(k float64) bool { return 1-b.CDF(k) <= tail }) + 1
	low, high = int64(math.Floor(l*scale)), int64(math.Ceil(h*scale))
	if h > trials {
		high = n + 1
	}
	return low, high
}

// least returns the least whole number from 0 to most at which so holds; most if it
// holds nowhere. so must hold for all larger numbers too.
func least(most float64, so func(float64) bool) float64 {
	low, high := -1.0, most
	for high-low > 1 {
		if mid := math.Floor((low + high) / 2); so(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

// Inflation returns the factor, at least 1, by which the variance of a share from block
// to block exceeds that of independent samples. It is the sum of the squared differences
// from the expected counts, each divided by the binomial variance, over the degrees of
// freedom. hits are the counts of the samples that make up the share, by block, and
// sizes those of all samples. Blocks hold consecutive samples, so that what lasts for
// many of them shows ("batch means"; overdispersion as in McCullagh and Nelder,
// "Generalized Linear Models").
func Inflation(hits, sizes []int64) float64 {
	var count, total int64
	blocks := 0
	for i, n := range sizes {
		if n > 0 {
			count, total, blocks = count+hits[i], total+n, blocks+1
		}
	}
	share := float64(count) / float64(total)
	if blocks < 2 || count == 0 || count == total {
		return 1
	}
	sum := 0.0
	for i, n := range sizes {
		if n > 0 {
			off := float64(hits[i]) - share*float64(n)
			sum += off * off / (float64(n) * share * (1 - share))
		}
	}
	return math.Max(1, sum/float64(blocks-1))
}

// ShareInterval returns the interval of a probability of which count of n independent
// samples are the estimate (Clopper and Pearson, "The Use of Confidence or Fiducial
// Limits"). Each sample counts as 1/inflation.
func ShareInterval(count, n int64, confidence, inflation float64) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	tail := (1 - confidence) / 2
	c, all := float64(count)/math.Max(1, inflation), float64(n)/math.Max(1, inflation)
	low, high = 0, 1
	if count > 0 {
		low = distuv.Beta{Alpha: c, Beta: all - c + 1}.Quantile(tail)
	}
	if count < n {
		high = distuv.Beta{Alpha: c + 1, Beta: all - c}.Quantile(1 - tail)
	}
	return low, high
}
