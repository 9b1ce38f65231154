package qr

import (
	"fmt"
	"math"
	"math/rand/v2"

	"example.org/bench/framework"
	"example.org/bench/framework/inputs"
	"example.org/bench/internal/pages"
	"example.org/bench/internal/workers"
)

// shape is what the kernels of a problem depend on.
type shape struct {
	M, N, Batch int
	Full        bool
	Double      bool
	Condition   float64
}

func shapeOf(p framework.Values) shape {
	return shape{
		M: int(p.Int("m")), N: int(p.Int("n")), Batch: int(p.Int("batch")),
		Full: p.Text("q") == full, Double: p.Text("precision") == doublePrecision, Condition: p.Float("condition"),
	}
}

// cols returns the number of Q's columns and of R's rows.
func (s shape) cols() int {
	if s.Full {
		return s.M
	}
	return s.N
}

func (s shape) cols64() int64 { return int64(s.cols()) }

// Elements of A, Q and R of one matrix.
func (s shape) sizeA() int { return s.M * s.N }
func (s shape) sizeQ() int { return s.M * s.cols() }
func (s shape) sizeR() int { return s.cols() * s.N }

// size is that of an element in bytes, and size64 the same for products with counts.
func (s shape) size() int {
	if s.Double {
		return 8
	}
	return 4
}

func (s shape) size64() int64 { return int64(s.size()) }

// bytes of A, Q and R of all matrices.
func (s shape) bytes() int64 {
	return s.size64() * int64(s.Batch) * int64(s.sizeA()+s.sizeQ()+s.sizeR())
}

// Nominal is the Work that the problem's definition gives for every version:
// Householder's method for R and for Q (Golub and Van Loan, sections 5.1.6 and
// 5.2.2).
func (s shape) Nominal() framework.Work {
	m, n := float64(s.M), float64(s.N)
	r := 2*m*n*n - 2*n*n*n/3
	q := r
	if s.Full {
		q = 4 * (m*m*n - m*n*n + n*n*n/3)
	}
	return framework.Work{
		NominalFLOPs: int64(math.Round((r + q) * float64(s.Batch))),
		NominalBytes: s.bytes(),
		Items:        int64(s.Batch),
	}
}

// problem is the input of one sweep point. It has no reference answer: Q and R
// are judged by their defining properties (see compare).
type problem struct {
	shape
	seed uint64
	a    elements
}

func newProblem(env framework.Env, p framework.Values) (framework.Problem, error) {
	if err := check(p); err != nil {
		return nil, err
	}
	s := shapeOf(p)
	if s.M < 1 || s.N < 1 || s.Batch < 1 || s.Condition < 1 {
		return nil, fmt.Errorf("m = %d, n = %d, batch = %d, condition = %g: want at least 1 each", s.M, s.N, s.Batch, s.Condition)
	}
	q := &problem{shape: s, seed: env.Seed, a: s.elements(s.sizeA() * s.Batch)}
	// Scratch memory is given back at once: large matrices need the room.
	at := min(workers.All(), s.Batch)
	scratch, free, err := pages.New[float64](int64(at) * int64(s.sizeA()))
	if err != nil {
		return nil, err
	}
	defer free()
	workers.Split(at, at, func(w int) {
		for b := w; b < s.Batch; b += at {
			wide := scratch[w*s.sizeA() : (w+1)*s.sizeA()]
			draw(wide, s, rand.New(rand.NewPCG(env.Seed, uint64(b))))
			q.set(b, wide)
		}
	})
	inputs.Make(framework.InputsOf(p), q.a.single, q.sizeA(), 1, env.Seed)
	inputs.Make(framework.InputsOf(p), q.a.double, q.sizeA(), 1, env.Seed)
	return q, nil
}

// Close drops the memory.
func (p *problem) Close() { p.a = elements{} }

// set rounds a matrix to A of matrix b of the batch.
func (p *problem) set(b int, wide []float64) {
	a := p.a.slice(b*p.sizeA(), (b+1)*p.sizeA())
	copy(a.double, wide)
	for i := range a.single {
		a.single[i] = float32(wide[i])
	}
}

// draw fills w with a random matrix whose singular values fall geometrically
// from 1 to 1/Condition: a diagonal between two random orthogonal matrices.
func draw(w []float64, s shape, g *rand.Rand) {
	clear(w)
	for i := range s.N {
		sigma := 1.0
		if s.N > 1 {
			sigma = math.Pow(s.Condition, -float64(i)/float64(s.N-1))
		}
		w[i*s.M+i] = sigma
	}
	// Rotations of rows i and i^step over all steps below m make every element
	// of a column depend on every other; then the same of columns.
	butterfly(s.M, g, func(i, j int, sin, cos float64) {
		for c := range s.N {
			x, y := w[c*s.M+i], w[c*s.M+j]
			w[c*s.M+i], w[c*s.M+j] = cos*x-sin*y, sin*x+cos*y
		}
	})
	butterfly(s.N, g, func(i, j int, sin, cos float64) {
		x, y := w[i*s.M:(i+1)*s.M], w[j*s.M:(j+1)*s.M]
		for r := range x {
			x[r], y[r] = cos*x[r]-sin*y[r], sin*x[r]+cos*y[r]
		}
	})
}

// butterfly calls rotate with a random angle for every pair of indices below
// n that differ in one bit, bit after bit.
func butterfly(n int, g *rand.Rand, rotate func(i, j int, sin, cos float64)) {
	for step := 1; step < n; step *= 2 {
		for i := range n {
			if j := i ^ step; i < j && j < n {
				sin, cos := math.Sincos(2 * math.Pi * g.Float64())
				rotate(i, j, sin, cos)
			}
		}
	}
}
