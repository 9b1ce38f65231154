package stats

import (
	"math"
	"testing"
)

// Repeats that are told are enough, and one fewer is not: by the interval of as many values.
func TestRepeatsFor(t *testing.T) {
	alternating := func(n int) float64 { // half of the interval of n values of deviation 1, about
		_, half, _ := Student(unitDeviation(n), Confidence)
		return half
	}
	k := RepeatsFor(alternating(10), 10, 0.5)
	if k < 17 || k > 21 { // (1.96 / 0.5)², and more as the deviation is known from few
		t.Errorf("%d repeats", k)
	}
	if at, before := alternating(k), alternating(k-2); at > 0.52 || before < 0.48 {
		t.Errorf("%d repeats: half is %v, and %v of two fewer", k, at, before)
	}
	for _, none := range []int{RepeatsFor(1, 1, 0.1), RepeatsFor(math.NaN(), 5, 0.1), RepeatsFor(1, 5, 0), RepeatsFor(1e6, 5, 1e-6)} {
		if none != 0 {
			t.Errorf("%d repeats of what cannot be told", none)
		}
	}
}

// unitDeviation are n values, of standard deviation 1 but for the last of an odd number.
func unitDeviation(n int) []float64 {
	x := make([]float64, n)
	scale := math.Sqrt(float64(n-1) / float64(n))
	for i := range x {
		x[i] = scale * float64(1-2*(i%2))
	}
	return x
}
