package changepoint

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// fewest values of which outliers and two levels are told.
const fewest = 6

// levelOf describes values of one level, and lists those that are far off it.
func levelOf(values []Value, from, to int) (l Level, far []int) {
	b := baselineOf(values[from:to])
	l = Level{From: from, To: to, Mean: b.mean, Noise: math.Sqrt(b.variance)}
	half := math.Inf(1)
	if b.n > 1 {
		half = distuv.StudentsT{Sigma: 1, Nu: b.n - 1}.Quantile(0.975) * math.Sqrt(b.variance*b.fewer/b.weight)
	}
	l.Low, l.High = b.mean-half, b.mean+half
	if to-from < fewest {
		return l, nil
	}
	if l.Two = twoLevels(values[from:to]); l.Two != nil {
		return l, nil
	}
	for i := from; i < to; i++ {
		if v := values[i]; math.Abs(v.X-b.centre) > outlying*math.Sqrt(b.between+v.Sigma*v.Sigma) {
			far = append(far, i)
		}
	}
	return l, far
}

// twoLevels are the means of two groups, each with a sixth of the values at least, that
// are at least six times as far apart as the values of a group scatter; nil for none.
func twoLevels(values []Value) []float64 {
	x := make([]float64, len(values))
	for i, v := range values {
		x[i] = v.X
	}
	slices.SortFunc(x, cmp.Compare)
	part := func(x []float64) (mean, squares float64) {
		for _, v := range x {
			mean += v / float64(len(x))
		}
		for _, v := range x {
			squares += (v - mean) * (v - mean)
		}
		return mean, squares
	}
	least := max(3, len(x)/6)
	var two []float64
	best := math.Inf(1)
	for k := least; k <= len(x)-least; k++ {
		low, a := part(x[:k])
		high, b := part(x[k:])
		if a+b < best {
			best, two = a+b, nil
			if high-low > 6*math.Sqrt((a+b)/float64(len(x)-2)) {
				two = []float64{low, high}
			}
		}
	}
	return two
}
