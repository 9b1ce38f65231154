package stats

import (
	"math"
	"testing"
)

func TestRankAutocorrelation(t *testing.T) {
	for _, c := range []struct {
		name    string
		samples []float64
		want    float64
	}{
		{"nine, too few", []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}, 0},
		{"ten", []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 0.98},  // above it, so cut
		{"in turns", []float64{1, 9, 2, 8, 3, 7, 4, 6, 1, 9}, 0}, // below 0
		{"equal", make([]float64, 20), 0},
		// Six of nine neighbours are alike: 3 of 10 parts remain, and the correction.
		{"three steps", []float64{1, 1, 1, 2, 2, 2, 2, 1, 1, 2}, (0.3 + 0.1) / 0.6},
	} {
		if got := NewSeries(c.samples).RankAutocorrelation(); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestChangePoint(t *testing.T) {
	for _, c := range []struct {
		name    string
		samples []float64
		at      int
		z       float64
	}{
		{"three, too few", []float64{1, 2, 3}, 0, 0},
		{"equal", []float64{3, 3, 3, 3, 3, 3}, 0, 0},
		// Ranks 1 and 2 are 2 below the 5 to be expected, the variance is 2·2·5/12.
		{"four", []float64{1, 2, 3, 4}, 2, 2 / math.Sqrt(20./12)},
		{"as early as can be", []float64{1, 1, 5, 5, 5, 5}, 2, math.Sqrt(5)},
		{"as late as can be", []float64{5, 5, 5, 5, 1, 1}, 4, math.Sqrt(5)},
	} {
		if at, z, _ := NewSeries(c.samples).ChangePoint(); at != c.at || math.Abs(z-c.z) > 1e-12 {
			t.Errorf("%s: at %d by %v, want at %d by %v", c.name, at, z, c.at, c.z)
		}
	}
}
