package tridiagonal

import (
	"math"
	"math/rand/v2"
	"sync"

	"example.org/bench/framework"
	"example.org/bench/framework/stats"
	"example.org/bench/internal/workers"
)

// sampleRows is how many rows, in whole systems, are compared with the reference
// where the residual of all is checked. Longer systems are not compared.
const sampleRows = 1 << 18

// sampled returns how many systems are compared with the reference.
func (p *problem) sampled() int { return sampleRows / p.N }

func (p *problem) hasFastCheck() bool { return p.Dominance > 1 && p.Batch > p.sampled() }

// compareFast checks a solution by the residual of every system and the distance
// to the reference of some. Nothing that compare refuses escapes by chance: a
// diagonally dominant system whose residual is within its bound has a forward error
// within twice the condition number times that (Higham, Accuracy and Stability of
// Numerical Algorithms, theorem 7.2), which is compare's bound; and an element that
// is wrong by e has a residual of at least |b|·e in its row, or its neighbours are
// wrong too. Other systems have no fast check: the reference shows whether they
// have a solution.
func compareFast[T real](p *problem, in equations[T], got []T, levels int) ([]framework.Check, error) {
	if !p.hasFastCheck() {
		return nil, framework.ErrNoFastCheck
	}
	sampled := p.sampled()
	residual := math.NaN()
	if len(got) == p.elements() {
		residual = worstResidual(p, in, got)
	}
	checks := []framework.Check{{Metric: "relative residual, worst system", Error: residual, Bound: p.residualBound(levels)}}
	if sampled == 0 || math.IsNaN(residual) {
		return checks, nil
	}
	sample := stats.Stratified(rand.New(rand.NewPCG(p.seed, math.MaxUint64)), p.Batch, sampled)
	forward := make([]float64, sampled)
	pool := sync.Pool{New: func() any { return newWide(p.N) }}
	workers.Split(workers.All(), sampled, func(i int) {
		s := sample[i]
		sys := pool.Get().(*wide)
		defer pool.Put(sys)
		load(sys, p, in, s)
		thomas(sys.x, sys.a, sys.b, sys.c, sys.d, sys.work)
		var normE, normX float64
		for row, at := 0, p.start(s); row < p.N; row, at = row+1, at+p.stride() {
			normE = max(normE, math.Abs(float64(got[at])-sys.x[row]))
			normX = max(normX, math.Abs(sys.x[row]))
		}
		forward[i] = share(normE, normX)
	})
	worst := 0.0
	for _, f := range forward {
		worst = max(worst, f)
	}
	return append(checks, framework.Check{Metric: "relative forward error, worst system of a sample", Error: worst,
		Bound: p.forwardBound(levels, dominantCondition(p.Dominance))}), nil
}

// norms are maxima over rows of one system: of its matrix' rows, the solution, the
// right side and the residual.
type norms struct{ a, x, d, r float64 }

func (n *norms) join(o norms) {
	n.a, n.x, n.d, n.r = max(n.a, o.a), max(n.x, o.x), max(n.d, o.d), max(n.r, o.r)
}

// residual is ‖Ax-d‖/(‖A‖‖x‖+‖d‖). For an infinite x it is never finite: ∞/∞ is
// NaN.
func (n norms) residual() float64 { return share(n.r, n.a*n.x+n.d) }

// share returns error divided by size. No error gives 0, even if size is 0.
func share(e, size float64) float64 {
	if e == 0 {
		return 0
	}
	return e / size
}

// rowsAtOnce is how many rows a worker takes at once.
const rowsAtOnce = 1 << 15

// worstResidual returns the largest residual of all systems. NaN wins.
func worstResidual[T real](p *problem, in equations[T], got []T) (worst float64) {
	if p.N > rowsAtOnce {
		parts := make([]norms, (p.N+rowsAtOnce-1)/rowsAtOnce)
		for s := range p.Batch {
			workers.Split(workers.All(), len(parts), func(i int) {
				parts[i] = normsOf(p, in, got, s, i*rowsAtOnce, min((i+1)*rowsAtOnce, p.N))
			})
			var all norms
			for _, part := range parts {
				all.join(part)
			}
			worst = max(worst, all.residual())
		}
		return worst
	}
	per := rowsAtOnce / p.N
	groups := make([]float64, (p.Batch+per-1)/per)
	workers.Split(workers.All(), len(groups), func(g int) {
		for s := g * per; s < min((g+1)*per, p.Batch); s++ {
			groups[g] = max(groups[g], normsOf(p, in, got, s, 0, p.N).residual())
		}
	})
	for _, g := range groups {
		worst = max(worst, g)
	}
	return worst
}

// normsOf are those of rows from … to-1 of system s.
func normsOf[T real](p *problem, in equations[T], got []T, s, from, to int) (n norms) {
	stride := p.stride()
	for i, at := from, p.start(s)+from*stride; i < to; i, at = i+1, at+stride {
		a, b, c, d := float64(in.a[at]), float64(in.b[at]), float64(in.c[at]), float64(in.d[at])
		x := float64(got[at])
		r := b*x - d
		if i > 0 {
			r += a * float64(got[at-stride])
		}
		if i < p.N-1 {
			r += c * float64(got[at+stride])
		}
		n.a = max(n.a, math.Abs(a)+math.Abs(b)+math.Abs(c))
		n.x = max(n.x, math.Abs(x))
		n.d = max(n.d, math.Abs(d))
		n.r = max(n.r, math.Abs(r))
	}
	return n
}
