package fft

import (
	"math/bits"
	"math/rand/v2"
	"sync"

	"example.org/bench/framework"
	"example.org/bench/framework/inputs"
	"example.org/bench/internal/workers"
)

// problem is the input of one sweep point with its reference answer.
type problem struct {
	N, Batch int
	Inverse  bool
	Double   bool // f64; in64 is then set, else in32
	Inputs   framework.Inputs
	in32     []complex64
	in64     []complex128

	seed uint64

	once         sync.Once
	reference    []complex128 // the answer; use answer()
	identityOnce sync.Once
	made         any // *identity[T]; use identityOf
}

func newProblem(env framework.Env, p framework.Values) (framework.Problem, error) {
	if err := check(p); err != nil {
		return nil, err
	}
	n := int(p.Int("N"))
	elements := int(p.Int("batch_elements"))
	q := &problem{
		N:       n,
		Batch:   elements / n,
		Inverse: p.Text("direction") == "inverse",
		Double:  p.Text("precision") == "f64",
		Inputs:  framework.InputsOf(p),
		seed:    env.Seed,
	}
	if q.Double {
		q.in64 = make([]complex128, elements)
		inputs.Random(q.in64, env.Seed, uniform64)
		inputs.Make(q.Inputs, inputs.Parts[float64](q.in64), 2*n, 2, env.Seed)
	} else {
		q.in32 = make([]complex64, elements)
		inputs.Random(q.in32, env.Seed, uniform32)
		inputs.Make(q.Inputs, inputs.Parts[float32](q.in32), 2*n, 2, env.Seed)
	}
	return q, nil
}

// Close drops the memory.
func (p *problem) Close() { p.in32, p.in64, p.reference, p.made = nil, nil, nil, nil }

// elements returns the number of elements of all transforms together.
func (p *problem) elements() int { return p.N * p.Batch }

// elementBytes is the size of one complex number.
func (p *problem) elementBytes() int64 {
	if p.Double {
		return 16
	}
	return 8
}

// bytes returns the size of all transforms together.
func (p *problem) bytes() int64 { return int64(p.elements()) * p.elementBytes() }

// Nominal returns the Work by the problem's definition, which is the same for every version.
func (p *problem) Nominal() framework.Work {
	e := int64(p.elements())
	return framework.Work{
		NominalFLOPs: 5 * e * int64(bits.Len(uint(p.N))-1),
		NominalBytes: 2 * e * p.elementBytes(),
		Items:        e,
	}
}

// uniform32 is uniform over the odd multiples of 2^-23 in (-1, 1), real and
// imaginary part alike: exact in float32, without bias and never zero.
func uniform32(g *rand.PCG) complex64 {
	u := g.Uint64()
	part := func(u uint32) float32 { return float32(int32(u>>9)*2+1-1<<23) * (1.0 / (1 << 23)) }
	return complex(part(uint32(u>>32)), part(uint32(u)))
}

// uniform64 does the same with multiples of 2^-52.
func uniform64(g *rand.PCG) complex128 {
	part := func(u uint64) float64 { return float64(int64(u>>12)*2+1-1<<52) * (1.0 / (1 << 52)) }
	return complex(part(g.Uint64()), part(g.Uint64()))
}

// answer returns the reference answer, which the first call computes.
func (p *problem) answer() []complex128 {
	p.once.Do(func() {
		p.reference = make([]complex128, p.elements())
		if p.Double {
			copyWide(p.reference, p.in64)
		} else {
			copyWide(p.reference, p.in32)
		}
		transformBatch(workers.All(), p.reference, p.N, p.Inverse)
	})
	return p.reference
}

func copyWide[T element](to []complex128, from []T) {
	const block = 1 << 14
	workers.Split(workers.All(), (len(to)+block-1)/block, func(b int) {
		for i := b * block; i < min((b+1)*block, len(to)); i++ {
			to[i] = complex128(from[i])
		}
	})
}
