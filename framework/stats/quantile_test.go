package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestQuantileRanks against the binomial distribution summed by hand, and where no
// sample bounds the quantile.
func TestQuantileRanks(t *testing.T) {
	for _, c := range []struct {
		n         int64
		p         float64
		low, high int64
	}{
		{10, 0.5, 2, 9},        // P(B < 2) = 11/1024, P(B < 3) = 56/1024
		{100, 0.5, 40, 61},     // Hahn and Meeker's table of ranks
		{100, 0.99, 97, 101},   // of 100 samples none bounds the 99th percentile from above
		{1000, 0.99, 983, 997}, // 990 and twice 3.15, rounded outwards
		{3, 0.5, 0, 4},
	} {
		low, high := QuantileRanks(c.n, c.p, Confidence, 1)
		if low != c.low || high != c.high {
			t.Errorf("the %g-quantile of %d is between ranks %d and %d; want %d and %d", c.p, c.n, low, high, c.low, c.high)
		}
	}
	low, high := QuantileRanks(1000, 0.99, Confidence, 4)
	if low >= 983 || high <= 997 {
		t.Errorf("ranks %d and %d of samples of which four count as one", low, high)
	}
}

// TestQuantileIntervalsHold what they say, of independent samples and of samples that
// are slow in bursts of twenty.
func TestQuantileIntervalsHold(t *testing.T) {
	const trials, n, blocks = 300, 4000, 20
	for _, c := range []struct {
		name     string
		burst    int // samples that share one delay
		p        float64
		least    float64
		plainMax float64 // what intervals for independent samples hold at most
	}{
		{"independent", 1, 0.99, 0.93, 1},
		{"bursts", 20, 0.99, 0.90, 0.75},
		{"bursts, median", 20, 0.5, 0.90, 0.75},
	} {
		r := rand.New(rand.NewPCG(1, 2))
		truth := -math.Log(1 - c.p) // of the exponential distribution
		held, plain := 0, 0
		for range trials {
			samples := make([]float64, n)
			for i := range samples {
				if samples[i] = r.ExpFloat64(); i%c.burst != 0 {
					samples[i] = samples[i-1]
				}
			}
			sorted := slices.Sorted(slices.Values(samples))
			q := sorted[int(c.p*n)]
			hits, sizes := make([]int64, blocks), make([]int64, blocks)
			for i, x := range samples {
				sizes[i*blocks/n]++
				if x > q {
					hits[i*blocks/n]++
				}
			}
			holds := func(inflation float64) bool {
				low, high := QuantileRanks(n, c.p, Confidence, inflation)
				return (low < 1 || sorted[low-1] <= truth) && (high > n || truth <= sorted[high-1])
			}
			if holds(Inflation(hits, sizes)) {
				held++
			}
			if holds(1) {
				plain++
			}
		}
		if got := float64(held) / trials; got < c.least {
			t.Errorf("%s: intervals hold the %g-quantile in %.3g of trials; want %g", c.name, c.p, got, c.least)
		}
		if got := float64(plain) / trials; got > c.plainMax {
			t.Errorf("%s: intervals for independent samples hold it in %.3g already: the trial shows nothing", c.name, got)
		}
	}
}

func TestShareInterval(t *testing.T) {
	for _, c := range []struct {
		count, n  int64
		low, high float64
	}{
		{0, 1000, 0, 0.003682}, // 1 - 0.025^(1/1000)
		{1000, 1000, 1 - 0.003682, 1},
		{10, 100, 0.0490, 0.1762}, // Clopper and Pearson's table
	} {
		low, high := ShareInterval(c.count, c.n, Confidence, 1)
		if math.Abs(low-c.low) > 1e-4 || math.Abs(high-c.high) > 1e-4 {
			t.Errorf("%d of %d: %g to %g; want %g to %g", c.count, c.n, low, high, c.low, c.high)
		}
	}
}
