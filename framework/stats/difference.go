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

// Tails are the probabilities, if nothing differs, of a difference at least as
// high (More) and at most as low (Less) as the one found.
type Tails struct{ More, Less float64 }

// TwoSided returns the probability of a difference as large, either way.
func (t Tails) TwoSided() float64 { return min(1, 2*min(t.More, t.Less)) }

// Larger returns the larger of each tail: what both tests show.
func (t Tails) Larger(o Tails) Tails { return Tails{max(t.More, o.More), max(t.Less, o.Less)} }

// Smaller returns the smaller of each tail: what either test shows.
func (t Tails) Smaller(o Tails) Tails { return Tails{min(t.More, o.More), min(t.Less, o.Less)} }

// Weaken multiplies the normal deviate that belongs to the tails.
func (t Tails) Weaken(by float64) Tails {
	p := distuv.UnitNormal.CDF(distuv.UnitNormal.Quantile(min(t.More, t.Less)) * by)
	if t.More < t.Less {
		return Tails{p, 1 - p}
	}
	return Tails{1 - p, p}
}

// NormalTest tests whether a distance with the standard uncertainty sigma is
// above or below 0.
func NormalTest(distance, sigma float64) Tails {
	n := distuv.UnitNormal
	return Tails{n.Survival(distance / sigma), n.CDF(distance / sigma)}
}

// MannWhitney tests whether b is above or below a by the U test. Both are
// ascending.
func MannWhitney(a, b []float64) Tails {
	t := &benchmath.DefaultThresholds
	p := benchmath.AssumeNothing.Compare(benchmath.NewSample(slices.Clone(a), t), benchmath.NewSample(slices.Clone(b), t)).P
	if rankSum(a, b) > 0 {
		return Tails{p / 2, 1 - p/2}
	}
	return Tails{1 - p/2, p / 2}
}

// rankSum returns the number of pairs with b above a less the number with b
// below a. Both are ascending.
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

// A Difference is a difference of two means, with its standard uncertainty Sigma
// and the degrees of freedom of Sigma.
type Difference struct{ Mean, Sigma, Freedom float64 }

// DifferenceOf returns the mean of b less that of a, with the uncertainty and
// degrees of freedom of Welch's t test. If one has a single value, its variance is
// taken to be the other's (the pooled t test). At least one must have two values.
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

// Tails returns the tails of the difference found if the true one is shift.
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

// Half returns half the width of the difference's interval at a confidence.
func (d Difference) Half(confidence float64) float64 {
	if d.Sigma == 0 {
		return 0
	}
	return distuv.StudentsT{Sigma: 1, Nu: d.Freedom}.Quantile(0.5+confidence/2) * d.Sigma
}

// Welch tests whether the mean of b less that of a is above or below shift, by
// Welch's t test.
func Welch(a, b []float64, shift float64) Tails { return DifferenceOf(a, b).Tails(shift) }

// Student returns the mean of x, half the width of its Student interval at a
// confidence, and the probability p of a mean as far from 0, either way, if the
// true one is 0. x has at least two values.
func Student(x []float64, confidence float64) (mean, half, p float64) {
	mean, sd := stat.MeanStdDev(x, nil)
	half, p = student(mean, sd/math.Sqrt(float64(len(x))), float64(len(x)-1), confidence)
	return mean, half, p
}

// student returns half the width of the Student interval of an estimate, whose standard error has so many degrees of
// freedom, and the probability of an estimate as far from 0, either way, if the true value is 0.
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

// StudentBeside is Student for values that also depend linearly on regressors, of which regressors[i]
// are those of x[i]. Their coefficients are fitted by least squares together with the mean, which is
// that where all regressors are 0. x has at least two values more than there are regressors for
// each. The regressors are linearly independent of one another and of a constant.
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

// Instances returns the geometric mean of the values of several instances of a point,
// and the ends of its interval, which is Student's of their logarithms. The values are
// positive, and at least two. Their scatter shows what differs from one instance to the
// next, such as the place in memory, and what differs from sample to sample. This is
// the interval of Kalibera and Jones, "Rigorous Benchmarking in Reasonable Time", at the
// highest level of repetition. A bootstrap of so few values would be too narrow.
func Instances(values []float64, confidence float64) (mean, low, high float64) {
	logs := make([]float64, len(values))
	for i, v := range values {
		logs[i] = math.Log(v)
	}
	m, half, _ := Student(logs, confidence)
	return math.Exp(m), math.Exp(m - half), math.Exp(m + half)
}

// Holm returns the p values adjusted for their number, in the same order. If
// those of at most alpha are called real, the probability that any is not is at
// most alpha, whatever their dependence (Holm, "A Simple Sequentially Rejective
// Multiple Test Procedure").
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
