package stats

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestOutliersOfNone: of normal values any is named in at most alpha of the cases, and
// in not far fewer.
func TestOutliersOfNone(t *testing.T) {
	const alpha, trials = 0.01, 2000
	g := rand.New(rand.NewPCG(25, 1))
	for _, n := range []int{3, 8, 40} {
		named := 0
		for range trials {
			x := make([]float64, n)
			for i := range x {
				x[i] = g.NormFloat64()
			}
			if len(Outliers(x, alpha)) > 0 {
				named++
			}
		}
		// Rosner's percentage points are approximate for several outliers of few values:
		// four standard deviations of the count, and a half more.
		if low, high := 4, 47; named < low || named > high {
			t.Errorf("%d values: %d of %d cases have outliers, want %d to %d", n, named, trials, low, high)
		}
	}
}

func TestOutliersFound(t *testing.T) {
	g := rand.New(rand.NewPCG(25, 2))
	x := make([]float64, 20)
	for i := range x {
		x[i] = 0.01 * g.NormFloat64()
	}
	x[3], x[17] = 0.09, 0.1 // they hide each other from a test for one
	if got := Outliers(x, 0.01); !slices.Equal(got, []int{17, 3}) {
		t.Errorf("%v", got)
	}
	for _, x := range [][]float64{nil, {1}, {1, 5}, {2, 2, 2}, {1, 1, 1, 1}} {
		if got := Outliers(x, 0.01); len(got) > 0 {
			t.Errorf("%v: %v", x, got)
		}
	}
}
