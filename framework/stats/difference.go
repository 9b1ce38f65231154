package stats

import (
	"cmp"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Tails are the probabilities, where nothing differs, of a difference as high
// (More) and as low (Less) as was found.
type Tails struct{ More, Less float64 }

// TwoSided is the probability of a difference as large, either way.
func (t Tails) TwoSided() float64 { return min(1, 2*min(t.More, t.Less)) }

// Larger takes the larger of each tail: what both tests tell.
func (t Tails) Larger(o Tails) Tails { return Tails{max(t.More, o.More), max(t.Less, o.Less)} }

// Smaller takes the smaller of each tail: what either test tells.
func (t Tails) Smaller(o Tails) Tails { return Tails{min(t.More, o.More), min(t.Less, o.Less)} }

// Weaken multiplies the normal deviate that belongs to the tails.
func (t Tails) Weaken(by float64) Tails {
	p := distuv.UnitNormal.CDF(distuv.UnitNormal.Quantile(min(t.More, t.Less)) * by)
	if t.More < t.Less {
		return Tails{p, 1 - p}
	}
	return Tails{1 - p, p}
}

// NormalTest is that of a distance from 0 whose standard uncertainty is sigma.
func NormalTest(distance, sigma float64) Tails {
	n := distuv.UnitNormal
	return Tails{n.Survival(distance / sigma), n.CDF(distance / sigma)}
}

// MannWhitney is the U test of whether b is above or below a; both are
// ascending.
func MannWhitney(a, b []float64) Tails {
	t := &benchmath.DefaultThresholds
	p := benchmath.AssumeNothing.Compare(benchmath.NewSample(slices.Clone(a), t), benchmath.NewSample(slices.Clone(b), t)).P
	if rankSum(a, b) > 0 {
		return Tails{p / 2, 1 - p/2}
	}
	return Tails{1 - p/2, p / 2}
}

// rankSum is how many pairs have b above a, less how many below; both are
// ascending.
func rankSum(a, b []float64) (sum int) {
	for _, v := range b {
		below, found := slices.BinarySearch(a, v)
		equal := 0
		if found {
			after, _ := slices.BinarySearch(a, math.Nextafter(v, math.Inf(1)))
			equal = after - below
		}
		sum += below - (len(a) - below - equal)
	}
	return sum
}

// Welch is Welch's t test of whether the mean of b less that of a is above or
// below shift.
func Welch(a, b []float64, shift float64) Tails {
	ma, va := stat.MeanVariance(a, nil)
	mb, vb := stat.MeanVariance(b, nil)
	va, vb = va/float64(len(a)), vb/float64(len(b))
	difference := mb - ma - shift
	if va+vb == 0 {
		switch {
		case difference > 0:
			return Tails{0, 1}
		case difference < 0:
			return Tails{1, 0}
		}
		return Tails{0.5, 0.5}
	}
	nu := (va + vb) * (va + vb) / (va*va/float64(len(a)-1) + vb*vb/float64(len(b)-1))
	t := distuv.StudentsT{Sigma: 1, Nu: nu}
	z := difference / math.Sqrt(va+vb)
	return Tails{t.Survival(z), t.CDF(z)}
}

// Student is the mean of x, half the width of Student's interval of it at a
// confidence, and the probability of a mean as far from 0, either way, where
// the true one is 0. x has two values at least.
func Student(x []float64, confidence float64) (mean, half, p float64) {
	n := float64(len(x))
	mean, sd := stat.MeanStdDev(x, nil)
	t := distuv.StudentsT{Sigma: 1, Nu: n - 1}
	half = t.Quantile(0.5+confidence/2) * sd / math.Sqrt(n)
	deviate := 0.0
	switch {
	case sd > 0:
		deviate = mean / (sd / math.Sqrt(n))
	case mean != 0:
		deviate = math.Inf(1)
	}
	return mean, half, 2 * t.Survival(math.Abs(deviate))
}

// Holm returns the p values adjusted for their number, in their order: a test
// that calls those at most alpha real is wrong about any of them with
// probability alpha at most, whatever their dependence (Holm, "A Simple
// Sequentially Rejective Multiple Test Procedure").
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	adjusted := make([]float64, len(p))
	worst := 0.0
	for rank, i := range order {
		worst = max(worst, min(1, p[i]*float64(len(p)-rank)))
		adjusted[i] = worst
	}
	return adjusted
}
