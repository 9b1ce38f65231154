package tridiagonal

import (
	"math/rand/v2"
	"sync"
	"unsafe"

	"example.org/bench/framework"
	"example.org/bench/framework/inputs"
)

// real is a coefficient of either precision.
type real interface{ float32 | float64 }

// sizeOf is the bytes of a T.
func sizeOf[T real]() int64 {
	var v T
	return int64(unsafe.Sizeof(v))
}

// equations are the coefficients of all systems, in the problem's layout.
type equations[T real] struct{ a, b, c, d []T }

// problem is the input of one sweep point with its reference answer.
type problem struct {
	N, Batch    int
	Interleaved bool
	Double      bool // f64; in64 is then set, else in32
	Dominance   float64
	seed        uint64
	in32        equations[float32]
	in64        equations[float64]

	once      sync.Once
	reference answer
	err       error
}

func newProblem(env framework.Env, p framework.Values) (framework.Problem, error) {
	if err := check(p); err != nil {
		return nil, err
	}
	q := &problem{
		N:           int(p.Int("N")),
		Batch:       int(systems(p)),
		Interleaved: p.Text("layout") == interleaved,
		Double:      p.Text("precision") == "f64",
		Dominance:   p.Float("dominance"),
		seed:        env.Seed,
	}
	if q.Double {
		q.in64 = random[float64](q, env.Seed)
		inputs.Make(framework.InputsOf(p), q.in64.d, q.elements(), 1, env.Seed)
	} else {
		q.in32 = random[float32](q, env.Seed)
		inputs.Make(framework.InputsOf(p), q.in32.d, q.elements(), 1, env.Seed)
	}
	return q, nil
}

// Close drops the memory.
func (p *problem) Close() {
	p.in32, p.in64, p.reference = equations[float32]{}, equations[float64]{}, answer{}
}

// elements returns the number of elements of all systems together.
func (p *problem) elements() int { return p.N * p.Batch }

// stride is the distance between a system's rows, and start where system s
// begins.
func (p *problem) stride() int {
	if p.Interleaved {
		return p.Batch
	}
	return 1
}

func (p *problem) start(s int) int {
	if p.Interleaved {
		return s
	}
	return s * p.N
}

func (p *problem) realBytes() int64 {
	if p.Double {
		return 8
	}
	return 4
}

// bytes returns the size of one value for every row.
func (p *problem) bytes() int64 { return int64(p.elements()) * p.realBytes() }

// Nominal is the Work that the problem's definition gives for every version:
// Gaussian elimination without pivoting takes 8·N - 7 operations.
func (p *problem) Nominal() framework.Work {
	e := int64(p.elements())
	return framework.Work{NominalFLOPs: 8 * e, NominalBytes: 5 * e * p.realBytes(), Items: e}
}

// random draws |a| and |c| from [1/2, 1) with either sign, d from (-1, 1), and
// makes b the dominance times |a| + |c| with either sign.
func random[T real](p *problem, seed uint64) equations[T] {
	n := p.elements()
	e := equations[T]{make([]T, n), make([]T, n), make([]T, n), make([]T, n)}
	dominance := p.Dominance
	inputs.Draw(n, seed, 0, func(g *rand.PCG, from, to int) {
		for i := from; i < to; i++ {
			row := i % p.N
			if p.Interleaved {
				row = i / p.Batch
			}
			u, v := g.Uint64(), g.Uint64()
			var a, c float64
			if row > 0 {
				a = 0.5 + float64(u>>8&(1<<23-1))/(1<<24)
			}
			if row < p.N-1 {
				c = 0.5 + float64(u>>31&(1<<23-1))/(1<<24)
			}
			b := T(dominance * (a + c))
			if u&1 != 0 {
				a = -a
			}
			if u&2 != 0 {
				c = -c
			}
			if u&4 != 0 {
				b = -b
			}
			e.a[i], e.b[i], e.c[i] = T(a), b, T(c)
			e.d[i] = T(float64(int64(v>>40)*2+1-1<<24) / (1 << 24))
		}
	})
	return e
}
