package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
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

// TestStudentBeside: the mean and its doubt are those of a linear model that gonum solves.
func TestStudentBeside(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, size := range [][2]int{{4, 2}, {5, 3}, {6, 2}, {7, 3}, {10, 2}, {31, 3}} {
		n, k := size[0], size[1]
		x, regressors, design := make([]float64, n), make([][]float64, n), mat.NewDense(n, 1+k, nil)
		for i := range x {
			row := []float64{1, random.NormFloat64(), 3 + random.NormFloat64(), random.NormFloat64()}
			x[i] = 0.5 + 2*row[1] - row[2] + 0.1*random.NormFloat64()
			regressors[i] = row[1 : 1+k]
			design.SetRow(i, row[:1+k])
		}
		var fitted, rest, normal, inverse mat.Dense
		y := mat.NewDense(n, 1, x)
		if err := fitted.Solve(design, y); err != nil {
			t.Fatal(err)
		}
		rest.Mul(design, &fitted)
		rest.Sub(y, &rest)
		normal.Mul(design.T(), design)
		if err := inverse.Inverse(&normal); err != nil {
			t.Fatal(err)
		}
		scatter := mat.Norm(&rest, 2) * math.Sqrt(inverse.At(0, 0)/float64(n-1-k))
		mean, half, p := StudentBeside(x, regressors, 0.95)
		student := distuv.StudentsT{Sigma: 1, Nu: float64(n - 1 - k)}
		for what, pair := range map[string][2]float64{
			"mean": {mean, fitted.At(0, 0)},
			"half": {half, scatter * student.Quantile(0.975)},
			"p":    {p, 2 * student.Survival(math.Abs(mean)/scatter)},
		} {
			if math.Abs(pair[0]-pair[1]) > 1e-9*math.Abs(pair[1]) {
				t.Errorf("%d values: %s is %v, want %v", n, what, pair[0], pair[1])
			}
		}
	}
}
