package stats

import (
	"math"
	"testing"
)

func TestHolm(t *testing.T) {
	// Worked by hand: sorted 0.01·4, 0.02·3, 0.03·2, 0.04·1, each at least the one before.
	got := Holm([]float64{0.04, 0.01, 0.03, 0.02})
	for i, want := range []float64{0.06, 0.04, 0.06, 0.06} {
		if math.Abs(got[i]-want) > 1e-12 {
			t.Errorf("p %d: %g, want %g", i, got[i], want)
		}
	}
}
