package tridiagonal

import (
	"fmt"
	"math"
	"sync"

	"example.org/bench/internal/workers"
)

// answer is the reference in double precision.
type answer struct {
	x []float64 // in the problem's layout
	// condition bounds, or for systems that are not dominant estimates, the
	// largest condition number of a system in the maximum norm.
	condition float64
}

// answer is computed when first asked for. It fails if a system is singular.
func (p *problem) answer() (answer, error) {
	p.once.Do(func() {
		if p.Double {
			p.reference, p.err = solveAll(p, p.in64)
		} else {
			p.reference, p.err = solveAll(p, p.in32)
		}
	})
	return p.reference, p.err
}

// solveAll solves by the Thomas algorithm, which is stable for diagonally
// dominant systems (Higham, Accuracy and Stability of Numerical Algorithms,
// section 9.6), and others by elimination with partial pivoting.
func solveAll[T real](p *problem, in equations[T]) (answer, error) {
	out := answer{x: make([]float64, p.elements())}
	dominant := p.Dominance > 1
	if dominant {
		out.condition = dominantCondition(p.Dominance)
	}
	var mu sync.Mutex
	var failed error
	const group = 64 // systems
	systems := sync.Pool{New: func() any { return newWide(p.N) }}
	pivots := sync.Pool{New: func() any { return newPivoted(p.N) }}
	workers.Split(workers.All(), (p.Batch+group-1)/group, func(g int) {
		sys := systems.Get().(*wide)
		defer systems.Put(sys)
		var factors *pivoted
		if !dominant {
			factors = pivots.Get().(*pivoted)
			defer pivots.Put(factors)
		}
		worst := 0.0
		for s := g * group; s < min((g+1)*group, p.Batch); s++ {
			load(sys, p, in, s)
			if dominant {
				thomas(sys.x, sys.a, sys.b, sys.c, sys.d, sys.work)
			} else {
				if row := factors.factor(*sys); row >= 0 {
					mu.Lock()
					failed = fmt.Errorf("system %d is singular: elimination with partial pivoting finds no pivot in row %d; "+
						"there is no answer to compare with, another dominance than %g is needed", s, row, p.Dominance)
					mu.Unlock()
					return
				}
				copy(sys.x, sys.d)
				factors.solve(sys.x)
				worst = max(worst, factors.condition(*sys))
			}
			start, stride := p.start(s), p.stride()
			for i, v := range sys.x {
				out.x[start+i*stride] = v
			}
		}
		if !dominant {
			mu.Lock()
			out.condition = max(out.condition, worst)
			mu.Unlock()
		}
	})
	return out, failed
}

// dominantCondition bounds ‖A‖·‖A⁻¹‖ in the maximum norm: ‖A⁻¹‖ is at most
// the largest 1/(|b|-|a|-|c|) (Varah, A Lower Bound for the Smallest Singular
// Value of a Matrix, 1975), and |a|+|c| lies between 1/2 and 2.
func dominantCondition(dominance float64) float64 {
	return 4 * (dominance + 1) / (dominance - 1)
}

// wide is one system in double precision, with its solution and scratch.
type wide struct{ a, b, c, d, x, work []float64 }

func newWide(n int) *wide {
	w := &wide{}
	all := make([]float64, 6*n)
	for i, s := range []*[]float64{&w.a, &w.b, &w.c, &w.d, &w.x, &w.work} {
		*s = all[i*n : (i+1)*n : (i+1)*n]
	}
	return w
}

// load copies system s of the problem.
func load[T real](w *wide, p *problem, in equations[T], s int) {
	at, stride := p.start(s), p.stride()
	for i := range p.N {
		w.a[i], w.b[i], w.c[i], w.d[i] = float64(in.a[at]), float64(in.b[at]), float64(in.c[at]), float64(in.d[at])
		at += stride
	}
}

// thomas solves one system without pivoting; work holds c divided by the
// pivots.
func thomas(x, a, b, c, d, work []float64) {
	n := len(x)
	before, value := 0.0, 0.0
	for i := range n {
		pivot := b[i] - a[i]*before
		before = c[i] / pivot
		value = (d[i] - a[i]*value) / pivot
		work[i], x[i] = before, value
	}
	for i := n - 2; i >= 0; i-- {
		x[i] -= work[i] * x[i+1]
	}
}

// pivoted is P·A = L·U of one system: U has three diagonals, L one multiplier
// per row.
type pivoted struct {
	u0, u1, u2, l []float64
	swapped       []bool
	scratch       []float64
}

func newPivoted(n int) *pivoted {
	vector := func() []float64 { return make([]float64, n) }
	return &pivoted{vector(), vector(), vector(), vector(), make([]bool, n), vector()}
}

// factor eliminates with partial pivoting. It returns the row without a
// pivot, or -1.
func (f *pivoted) factor(w wide) int {
	n := len(w.b)
	copy(f.u0, w.b)
	copy(f.u1, w.c)
	clear(f.u2)
	for i := range n - 1 {
		below := w.a[i+1]
		f.swapped[i] = math.Abs(below) > math.Abs(f.u0[i])
		if f.swapped[i] {
			f.l[i] = f.u0[i] / below
			f.u0[i], f.u1[i], f.u2[i], f.u0[i+1], f.u1[i+1] =
				below, f.u0[i+1], f.u1[i+1], f.u1[i]-f.l[i]*f.u0[i+1], -f.l[i]*f.u1[i+1]
			continue
		}
		if f.u0[i] == 0 {
			return i
		}
		f.l[i] = below / f.u0[i]
		f.u0[i+1] -= f.l[i] * f.u1[i]
	}
	if f.u0[n-1] == 0 {
		return n - 1
	}
	return -1
}

// solve replaces x by A⁻¹·x.
func (f *pivoted) solve(x []float64) {
	n := len(x)
	for i := range n - 1 {
		if f.swapped[i] {
			x[i], x[i+1] = x[i+1], x[i]-f.l[i]*x[i+1]
		} else {
			x[i+1] -= f.l[i] * x[i]
		}
	}
	for i := n - 1; i >= 0; i-- {
		v := x[i]
		if i+1 < n {
			v -= f.u1[i] * x[i+1]
		}
		if i+2 < n {
			v -= f.u2[i] * x[i+2]
		}
		x[i] = v / f.u0[i]
	}
}

// solveTransposed replaces x by A⁻ᵀ·x.
func (f *pivoted) solveTransposed(x []float64) {
	n := len(x)
	for i := range n {
		v := x[i]
		if i > 0 {
			v -= f.u1[i-1] * x[i-1]
		}
		if i > 1 {
			v -= f.u2[i-2] * x[i-2]
		}
		x[i] = v / f.u0[i]
	}
	for i := n - 2; i >= 0; i-- {
		x[i] -= f.l[i] * x[i+1]
		if f.swapped[i] {
			x[i], x[i+1] = x[i+1], x[i]
		}
	}
}

// condition estimates ‖A‖·‖A⁻¹‖ in the maximum norm from below, as a rule
// within a factor of three (Hager, Condition Estimates, 1984; Higham,
// Accuracy and Stability of Numerical Algorithms, algorithm 15.1): ‖A⁻¹‖ in
// this norm is ‖A⁻ᵀ‖ in the sum norm.
func (f *pivoted) condition(w wide) float64 {
	n := len(w.b)
	v := f.scratch
	for i := range v {
		v[i] = 1 / float64(n)
	}
	inverse, last := 0.0, -1
	for range 5 {
		f.solveTransposed(v)
		sum := 0.0
		for i, y := range v {
			sum += math.Abs(y)
			v[i] = math.Copysign(1, y)
		}
		inverse = max(inverse, sum)
		f.solve(v)
		most := 0
		for i, z := range v {
			if math.Abs(z) > math.Abs(v[most]) {
				most = i
			}
		}
		if most == last {
			break
		}
		last = most
		clear(v)
		v[most] = 1
	}
	norm := 0.0
	for i := range n {
		norm = max(norm, math.Abs(w.a[i])+math.Abs(w.b[i])+math.Abs(w.c[i]))
	}
	return norm * inverse
}
