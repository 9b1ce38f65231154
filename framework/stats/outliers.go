package stats

import (
	"math"
	"slices"
)

// Outliers returns the indices of the values that do not fit the normal distribution of
// the others, the furthest first, by the generalised ESD test (Rosner, "Percentage
// points for a generalized ESD many-outlier procedure"). It names at most a fifth of the
// values, or one of three or four, and none of fewer than three. alpha is the
// probability that it names any if there are none.
func Outliers(x []float64, alpha float64) []int {
	left := make([]int, len(x))
	for i := range left {
		left[i] = i
	}
	var far []int
	count := 0
	for range max(1, len(x)/5) {
		n := float64(len(left))
		if n < 3 {
			break
		}
		mean, squares := 0.0, 0.0
		for _, i := range left {
			mean += x[i] / n
		}
		at := 0
		for k, i := range left {
			squares += (x[i] - mean) * (x[i] - mean)
			if math.Abs(x[i]-mean) > math.Abs(x[left[at]]-mean) {
				at = k
			}
		}
		distance := math.Abs(x[left[at]]-mean) / math.Sqrt(squares/(n-1))
		t := studentQuantile(n-2, 1-alpha/(2*n))
		critical := (n - 1) * t / math.Sqrt((n-2+t*t)*n)
		far = append(far, left[at])
		if distance > critical { // never of equal values
			count = len(far)
		}
		left = slices.Delete(left, at, at+1)
	}
	return far[:count]
}
