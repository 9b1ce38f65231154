package stats

import (
	"math"
	"testing"
)

// TestRanksOfResemblingSamples: the ranks of independent samples are the binomial ones,
// and those of samples that resemble their neighbours lie further out, by the
// autocorrelation, at most at the ends.
func TestRanksOfResemblingSamples(t *testing.T) {
	turns := make([]float64, 101) // 1, 101, 2, 100, …: no sample is near the one before
	up := make([]float64, 101)
	for i := range turns {
		up[i] = float64(i + 1)
		turns[i] = float64(i/2 + 1)
		if i%2 == 1 {
			turns[i] = float64(101 - i/2)
		}
	}
	k, _ := MedianRank(101, Confidence)
	if low, high, ok := NewSeries(turns).RankInterval(Confidence); !ok || low != float64(k) || high != float64(102-k) {
		t.Errorf("independent: %v to %v, want %d to %d", low, high, k, 102-k)
	}
	if low, high, ok := NewSeries(up).RankInterval(Confidence); !ok || low != 1 || high != 101 {
		t.Errorf("a ramp: %v to %v", low, high)
	}
	// Pairs of equal samples, in turns low and high.
	var pairs []float64
	for _, x := range turns {
		pairs = append(pairs, x, x)
	}
	r := NewSeries(pairs).RankAutocorrelation()
	k, _ = MedianRank(202, Confidence)
	away := (100.5 - float64(k-1)) * math.Sqrt((1+r)/(1-r))
	at := int(math.Floor(100.5 - away))
	if low, high, _ := NewSeries(pairs).RankInterval(Confidence); low != float64(at/2+1) || high != float64(101-at/2) || at >= k-1 {
		t.Errorf("pairs: %v to %v, autocorrelation %v, rank %d before %d", low, high, r, at, k-1)
	}
	for _, few := range [][]float64{{1, 2, 3, 4, 5}, {0, 2, 3, 4, 5, 6}, {-1, 2, 3, 4, 5, 6}} {
		if _, _, ok := NewSeries(few).MedianInterval(Confidence); ok {
			t.Errorf("%v has an interval", few)
		}
	}
}

// TestBlocksWidenTheInterval: noise that lasts for many samples shows in the
// medians of the blocks, on the logarithmic scale and in any unit.
func TestBlocksWidenTheInterval(t *testing.T) {
	var x []float64
	for i := range 600 {
		level := 20.
		if i/50%3 == 1 { // four of twelve blocks
			level = 22
		}
		x = append(x, level)
	}
	var logs []float64
	for _, m := range BlockMedians(x) {
		logs = append(logs, math.Log(m))
	}
	_, half, _ := Student(logs, Confidence)
	low, high, ok := NewSeries(x).MedianInterval(Confidence)
	if !ok || math.Abs(low-20*math.Exp(-half)) > 1e-12 || high < 20*math.Exp(half) || half < 0.02 {
		t.Errorf("%v to %v, blocks ± %v", low, high, half)
	}
	if _, h, _ := NewSeries(x).RankInterval(Confidence); high != max(h, 20*math.Exp(half)) {
		t.Errorf("up to %v, ranks %v", high, h)
	}
}
