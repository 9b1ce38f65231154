package qr

import (
	"math"
	"sync"

	"example.org/bench/framework"
	"example.org/bench/internal/workers"
)

// method is how a version orthogonalises, which decides what it can promise.
type method int

const (
	// gramSchmidt is modified Gram-Schmidt: Q is as far from orthogonal as
	// condition·roundoff (Björck 1967).
	gramSchmidt method = iota
	// householder is any product of reflections: orthogonal to roundoff
	// whatever the condition (Higham, Accuracy and Stability of Numerical
	// Algorithms, theorem 19.4).
	householder
)

// roundoff returns the unit roundoff of the problem's precision.
func (s shape) roundoff() float64 {
	if s.Double {
		return 1.0 / (1 << 53)
	}
	return 1.0 / (1 << 24)
}

// Factors of the bounds. The worst case of the theorems is never approached; these
// leave 1.3 to 5 times the largest error seen over verification's problems, of
// this package's versions and of LAPACK's, and refuse what compare_test.go plants.
const (
	residualFactor    = 8
	householderFactor = 8
	gramSchmidtFactor = 1
)

// Names of the checks.
const (
	orthogonality = "orthogonality |QᵀQ-I|"
	residual      = "residual |A-QR|/|A|"
	triangle      = "largest |R| below its diagonal"
)

// bounds are the Frobenius norms that a version may reach: of QᵀQ-I and of
// A-QR relative to A. Errors of single elements add up like random ones.
func (s shape) bounds(by method) (orthogonal, residual float64) {
	n, roundoff := float64(s.N), s.roundoff()
	residual = residualFactor * roundoff * math.Pow(n, 0.25)
	orthogonal = householderFactor * roundoff * math.Pow(n, 0.25) * math.Sqrt(float64(s.cols()))
	if by == gramSchmidt {
		orthogonal += gramSchmidtFactor * roundoff * math.Sqrt(n) * s.Condition
	}
	return orthogonal, residual
}

// errorsOf holds the errors of one matrix.
type errorsOf struct{ orthogonal, residual, below float64 }

// verify compares the answer that get hands over.
func (p *problem) verify(by method, get func() (q, r elements, err error)) ([]framework.Check, error) {
	q, r, err := get()
	switch {
	case err != nil:
		return nil, err
	case p.Double:
		return compare(p, q.double, r.double, by), nil
	}
	return compare(p, q.single, r.single, by), nil
}

// compare judges Q and R of all matrices by the worst of them, in double
// precision. NaN counts as worst. Where the answer is in double precision too, what
// rounding adds here is within the bounds: products of rows are compensated, and a
// column's difference rounds as often as there are columns.
func compare[T real](p *problem, q, r []T, by method) []framework.Check {
	var mu sync.Mutex
	var worst errorsOf
	each(p.shape, func(b int, w *scratch) {
		e := judge(p, b, q[b*p.sizeQ():(b+1)*p.sizeQ()], r[b*p.sizeR():(b+1)*p.sizeR()], w)
		mu.Lock()
		defer mu.Unlock()
		worst.orthogonal = worse(worst.orthogonal, e.orthogonal)
		worst.residual = worse(worst.residual, e.residual)
		worst.below = worse(worst.below, e.below)
	})
	o, d := p.bounds(by)
	return []framework.Check{
		{Metric: orthogonality, Error: worst.orthogonal, Bound: o},
		{Metric: residual, Error: worst.residual, Bound: d},
		{Metric: triangle, Error: worst.below, Bound: 0},
	}
}

func worse(a, b float64) float64 {
	if math.IsNaN(a) || a > b {
		return a
	}
	return b
}

// each calls f for every matrix of the batch, with scratch memory that no
// concurrent call uses.
func each(s shape, f func(b int, w *scratch)) {
	pool := sync.Pool{New: func() any { return &scratch{} }}
	workers.Split(workers.All(), s.Batch, func(b int) {
		w := pool.Get().(*scratch)
		w.threads = 1
		if s.Batch == 1 {
			w.threads = workers.All()
		}
		f(b, w)
		pool.Put(w)
	})
}

// scratch is memory for judging one matrix.
type scratch struct {
	threads int
	q       []float64
	columns sync.Pool // of *[]float64
}

// column returns memory for m numbers, which the caller puts back.
func (w *scratch) column(m int) *[]float64 {
	if c, ok := w.columns.Get().(*[]float64); ok {
		return c
	}
	c := make([]float64, m)
	return &c
}

// judge measures one matrix.
func judge[T real](p *problem, b int, q, r []T, w *scratch) errorsOf {
	m, cols := p.M, p.cols()
	w.q = widen(w.q, q)
	a := matrix[T](p, b)
	product := dot[float64]
	if p.Double {
		product = compensated
	}
	var e errorsOf
	var mu sync.Mutex
	var orthogonal, difference, size float64
	// QᵀQ is symmetric: column j of its upper part.
	workers.Split(w.threads, cols, func(j int) {
		at := w.q[j*m : (j+1)*m]
		sum := 0.0
		for i := 0; i < j; i++ {
			d := product(w.q[i*m:(i+1)*m], at)
			sum += 2 * d * d
		}
		d := product(at, at) - 1
		sum += d * d
		mu.Lock()
		defer mu.Unlock()
		orthogonal += sum
	})
	workers.Split(w.threads, p.N, func(j int) {
		kept := w.column(m)
		defer w.columns.Put(kept)
		column := *kept
		sum, norm, below := 0.0, 0.0, 0.0
		for i, x := range a[j*m : (j+1)*m] {
			column[i] = float64(x)
			norm += float64(x) * float64(x)
		}
		for i, x := range r[j*cols : (j+1)*cols] {
			if i > j {
				below = worse(below, math.Abs(float64(x)))
			}
			if x != 0 {
				axpy(column, -float64(x), w.q[i*m:(i+1)*m])
			}
		}
		for _, x := range column {
			sum += x * x
		}
		mu.Lock()
		defer mu.Unlock()
		difference += sum
		size += norm
		e.below = worse(e.below, below)
	})
	e.orthogonal = math.Sqrt(orthogonal)
	e.residual = math.Sqrt(difference / size)
	return e
}

// matrix is A of one matrix of the batch, whose elements are T.
func matrix[T real](p *problem, b int) []T { return of[T](p.a)[b*p.sizeA() : (b+1)*p.sizeA()] }

func widen[T real](to []float64, from []T) []float64 {
	if cap(to) < len(from) {
		to = make([]float64, len(from))
	}
	to = to[:len(from)]
	for i, x := range from {
		to[i] = float64(x)
	}
	return to
}

func dot[T real](x []float64, y []T) float64 {
	y = y[:len(x)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(x); i += 4 {
		s0 += x[i] * float64(y[i])
		s1 += x[i+1] * float64(y[i+1])
		s2 += x[i+2] * float64(y[i+2])
		s3 += x[i+3] * float64(y[i+3])
	}
	for ; i < len(x); i++ {
		s0 += x[i] * float64(y[i])
	}
	return s0 + s1 + (s2 + s3)
}

// compensated is dot as if in twice the precision (Ogita, Rump and Oishi, Accurate Sum and
// Dot Product, 2005, algorithm 5.3).
func compensated(x, y []float64) float64 {
	var sum, rest float64
	for i, v := range x {
		p := v * y[i]
		rest += math.FMA(v, y[i], -p)
		s := sum + p
		z := s - sum
		rest += (sum - (s - z)) + (p - z)
		sum = s
	}
	return sum + rest
}

// axpy adds f·x to y.
func axpy[T real](y []float64, f float64, x []T) {
	x = x[:len(y)]
	for i := range y {
		y[i] += f * float64(x[i])
	}
}
