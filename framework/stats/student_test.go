package stats

import (
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// TestStudentQuantilesAreKeptApart: what is kept is that of the same freedom and
// probability, to the bit.
func TestStudentQuantilesAreKeptApart(t *testing.T) {
	for range 2 {
		for _, freedom := range []float64{1, 4, 30} {
			for _, p := range []float64{0.5, 0.975, 0.9995} {
				if got, want := studentQuantile(freedom, p), (distuv.StudentsT{Sigma: 1, Nu: freedom}).Quantile(p); got != want {
					t.Errorf("%v of %v degrees: %v, want %v", p, freedom, got, want)
				}
			}
		}
	}
}
