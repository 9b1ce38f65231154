package tridiagonal

import (
	"math"
	"sync"

	"example.org/bench/framework"
	"example.org/bench/internal/workers"
)

// Unit roundoffs of the two precisions.
const (
	roundoff32 = 1.0 / (1 << 24)
	roundoff64 = 1.0 / (1 << 53)
)

// residualBound is the largest relative residual of a version that eliminates
// in levels: 16·u·levels, u being the unit roundoff.
//
// For one sweep of elimination without pivoting over a diagonally dominant
// system the computed solution satisfies (A+ΔA)x = d with |ΔA| at most
// (4u + 3u² + u³)·|L||U|, and |L||U| is at most 3|A| (Higham, Accuracy and
// Stability of Numerical Algorithms, theorems 9.13 and 9.14): a relative
// residual of 12·u to first order. 16 leaves room for the reciprocals, which
// GPU kernels round by one unit more. A method that eliminates in levels, each
// of which leaves a dominant system, adds that much per level (Amodio and
// Mazzia, Backward Error Analysis of Cyclic Reduction for the Solution of
// Tridiagonal Systems, 1994). Elimination with partial pivoting stays within
// one level's bound for any system, because its growth factor is at most 2.
//
// Systems that are not dominant get the same bound, so that a version that is
// not stable for them is found to be wrong.
func (p *problem) residualBound(levels int) float64 { return 16 * p.roundoff() * float64(levels) }

// forwardBound is the largest error of a solution: twice the condition number
// times the residual's bound (Higham, theorem 7.2), and as much again for the
// reference where it is of the same precision.
func (p *problem) forwardBound(levels int, condition float64) float64 {
	own := 2 * condition * p.residualBound(levels)
	return own + 2*condition*16*roundoff64
}

func (p *problem) roundoff() float64 {
	if p.Double {
		return roundoff64
	}
	return roundoff32
}

// compare measures a solution in the problem's layout, in the worst of the
// systems: its residual ‖Ax-d‖/(‖A‖‖x‖+‖d‖) and its distance to the reference
// ‖x-x'‖/‖x'‖, all in the maximum norm. It fails if there is no reference.
func compare[T real](p *problem, in equations[T], got []T, levels int) ([]framework.Check, error) {
	want, err := p.answer()
	if err != nil {
		return nil, err
	}
	residual, forward := math.NaN(), math.NaN()
	if len(got) == p.elements() {
		residual, forward = worst(p, in, got, want.x)
	}
	return []framework.Check{
		{Metric: "relative residual, worst system", Error: residual, Bound: p.residualBound(levels)},
		{Metric: "relative forward error, worst system", Error: forward, Bound: p.forwardBound(levels, want.condition)},
	}, nil
}

func worst[T real](p *problem, in equations[T], got []T, want []float64) (residual, forward float64) {
	var mu sync.Mutex
	per := max(1, (1<<15)/p.N)
	workers.Split(workers.All(), (p.Batch+per-1)/per, func(g int) {
		var r, f float64
		for s := g * per; s < min((g+1)*per, p.Batch); s++ {
			x, y := oneSystem(p, in, got, want, s)
			r, f = max(r, x), max(f, y) // NaN wins
		}
		mu.Lock()
		residual, forward = max(residual, r), max(forward, f)
		mu.Unlock()
	})
	return residual, forward
}

func oneSystem[T real](p *problem, in equations[T], got []T, want []float64, s int) (residual, forward float64) {
	var normE, normW float64
	at, stride := p.start(s), p.stride()
	for range p.N {
		normE = max(normE, math.Abs(float64(got[at])-want[at]))
		normW = max(normW, math.Abs(want[at]))
		at += stride
	}
	return normsOf(p, in, got, s, 0, p.N).residual(), share(normE, normW)
}
