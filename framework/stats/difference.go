package stats

import (
	"cmp"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
	"gonum.org/v1/gonum/mat"
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

// A Difference is that of two means, with its standard uncertainty Sigma and
// the degrees of freedom of that.
type Difference struct{ Mean, Sigma, Freedom float64 }

// DifferenceOf is the mean of b less that of a, by Welch's t test. Where one has
// a single value, its variance is taken to be the other's (the pooled t test); one
// of them has two values at least.
func DifferenceOf(a, b []float64) Difference {
	ma, va := stat.MeanVariance(a, nil)
	mb, vb := stat.MeanVariance(b, nil)
	na, nb := float64(len(a)), float64(len(b))
	switch {
	case na == 1:
		return Difference{mb - ma, math.Sqrt(vb * (1 + 1/nb)), nb - 1}
	case nb == 1:
		return Difference{mb - ma, math.Sqrt(va * (1 + 1/na)), na - 1}
	}
	va, vb = va/na, vb/nb
	return Difference{mb - ma, math.Sqrt(va + vb), (va + vb) * (va + vb) / (va*va/(na-1) + vb*vb/(nb-1))}
}

// Tails are those of a difference as was found where the true one is shift.
func (d Difference) Tails(shift float64) Tails {
	off := d.Mean - shift
	if d.Sigma == 0 {
		switch {
		case off > 0:
			return Tails{0, 1}
		case off < 0:
			return Tails{1, 0}
		}
		return Tails{0.5, 0.5}
	}
	t := distuv.StudentsT{Sigma: 1, Nu: d.Freedom}
	return Tails{t.Survival(off / d.Sigma), t.CDF(off / d.Sigma)}
}

// Half is half the width of the difference's interval at a confidence.
func (d Difference) Half(confidence float64) float64 {
	if d.Sigma == 0 {
		return 0
	}
	return distuv.StudentsT{Sigma: 1, Nu: d.Freedom}.Quantile(0.5+confidence/2) * d.Sigma
}

// Welch is Welch's t test of whether the mean of b less that of a is above or
// below shift.
func Welch(a, b []float64, shift float64) Tails { return DifferenceOf(a, b).Tails(shift) }

// Student is the mean of x, half the width of Student's interval of it at a
// confidence, and the probability of a mean as far from 0, either way, where
// the true one is 0. x has two values at least.
func Student(x []float64, confidence float64) (mean, half, p float64) {
	mean, sd := stat.MeanStdDev(x, nil)
	half, p = student(mean, sd/math.Sqrt(float64(len(x))), float64(len(x)-1), confidence)
	return mean, half, p
}

// student is half the width of Student's interval of an estimate with a standard error of so many degrees of freedom,
// and the probability of one as far from 0.
func student(estimate, standardError, freedom, confidence float64) (half, p float64) {
	half = studentQuantile(freedom, 0.5+confidence/2) * standardError
	deviate := 0.0
	switch {
	case standardError > 0:
		deviate = estimate / standardError
	case estimate != 0:
		deviate = math.Inf(1)
	}
	return half, 2 * distuv.StudentsT{Sigma: 1, Nu: freedom}.Survival(math.Abs(deviate))
}

// StudentBeside is Student of values that may also differ by multiples of their regressors, the same
// multiples for all values, which are fitted by least squares beside the mean. The mean is that
// where all regressors are 0. x has at least two values more than each has regressors, and these
// are linearly independent of one another and of a constant.
func StudentBeside(x []float64, regressors [][]float64, confidence float64) (mean, half, p float64) {
	design := mat.NewDense(len(x), 1+len(regressors[0]), nil)
	for i, r := range regressors {
		design.SetRow(i, slices.Concat([]float64{1}, r))
	}
	values := mat.NewVecDense(len(x), x)
	var normal, inverse mat.SymDense
	var factors mat.Cholesky
	var projected, fitted, rest mat.VecDense
	normal.SymOuterK(1, design.T())
	projected.MulVec(design.T(), values)
	if !factors.Factorize(&normal) || factors.SolveVecTo(&fitted, &projected) != nil || factors.InverseTo(&inverse) != nil {
		panic("stats: regressors depend on one another")
	}
	rest.MulVec(design, &fitted)
	rest.SubVec(values, &rest)
	freedom := float64(len(x) - fitted.Len())
	mean = fitted.AtVec(0)
	half, p = student(mean, mat.Norm(&rest, 2)*math.Sqrt(inverse.At(0, 0)/freedom), freedom, confidence)
	return mean, half, p
}

// Instances is the geometric mean of what several instances of a point gave, which are
// positive and two at least, and Student's interval of it by their logarithms. What
// differs from one instance to the next, such as the place in memory, and what
// differs from sample to sample, both show in their scatter (Kalibera and Jones,
// "Rigorous Benchmarking in Reasonable Time", whose interval at the highest level of
// repetition this is; a bootstrap of so few values would be too narrow).
func Instances(values []float64, confidence float64) (mean, low, high float64) {
	logs := make([]float64, len(values))
	for i, v := range values {
		logs[i] = math.Log(v)
	}
	m, half, _ := Student(logs, confidence)
	return math.Exp(m), math.Exp(m - half), math.Exp(m + half)
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
