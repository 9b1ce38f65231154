package fft

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"sync"

	"bench/framework"
	"bench/framework/workers"
)

// problem is the input of one sweep point with its reference answer.
type problem struct {
	N, Batch int
	Inverse  bool
	Double   bool // f64; in64 is then set, else in32
	in32     []complex64
	in64     []complex128

	once      sync.Once
	reference []complex128 // the answer; use answer()
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
	}
	if q.Double {
		q.in64 = make([]complex128, elements)
		random(q.in64, env.Seed, uniform64)
	} else {
		q.in32 = make([]complex64, elements)
		random(q.in32, env.Seed, uniform32)
	}
	return q, nil
}

// Close drops the memory.
func (p *problem) Close() { p.in32, p.in64, p.reference = nil, nil, nil }

// elements of all transforms together.
func (p *problem) elements() int { return p.N * p.Batch }

// elementBytes is the size of one complex number.
func (p *problem) elementBytes() int64 {
	if p.Double {
		return 16
	}
	return 8
}

// bytes of all transforms together.
func (p *problem) bytes() int64 { return int64(p.elements()) * p.elementBytes() }

// Nominal is the Work that the problem's definition gives for every version.
func (p *problem) Nominal() framework.Work {
	e := int64(p.elements())
	return framework.Work{
		NominalFLOPs: 5 * e * int64(bits.Len(uint(p.N))-1),
		NominalBytes: 2 * e * p.elementBytes(),
		Items:        e,
	}
}

// randomBlock elements come from one generator, so that the numbers do not
// depend on how many workers draw them.
const randomBlock = 1 << 14

// random fills dst from seed, all cores at work.
func random[T any](dst []T, seed uint64, draw func(*rand.PCG) T) {
	blocks := (len(dst) + randomBlock - 1) / randomBlock
	workers.Split(workers.All(), blocks, func(b int) {
		g := rand.NewPCG(seed, uint64(b))
		block := dst[b*randomBlock : min((b+1)*randomBlock, len(dst))]
		for i := range block {
			block[i] = draw(g)
		}
	})
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

// answer is the reference answer, computed when first asked for.
func (p *problem) answer() []complex128 {
	p.once.Do(func() {
		p.reference = make([]complex128, p.elements())
		if p.Double {
			copy(p.reference, p.in64)
		} else {
			for i, v := range p.in32 {
				p.reference[i] = complex128(v)
			}
		}
		transformBatch(workers.All(), p.reference, p.N, p.Inverse)
	})
	return p.reference
}

// Unit roundoffs of the two precisions.
const (
	roundoff32 = 1.0 / (1 << 24)
	roundoff64 = 1.0 / (1 << 53)
)

// bound is the largest relative L2 error that a transform may have:
// u·log2 N, u being the unit roundoff.
//
// The worst case for radix 2 with correctly rounded twiddle factors is
// (1+4√2)·u·log2 N, in first order (Higham, Accuracy and Stability of
// Numerical Algorithms, theorem 24.2; Gentleman and Sande, Fast Fourier
// Transforms: for Fun and Profit, give 1.06·8·u·log2 N). Rounding errors that
// behave as independent random numbers leave √(2·0.21·log2 N)·u (Weinstein,
// Roundoff Noise in Floating Point Fast Fourier Transform Computation). The
// bound has the growth of the worst case and a constant nearer to the random
// one: 3.8 times it for N = 64, 7.4 times for N = 2^23. In float64 the
// reference answer itself errs as much, which this margin covers.
//
// What it refuses: two elements of one transform exchanged give 2/√N and a
// butterfly with a wrong twiddle factor about 1/√N, at least 3.4e-4; a table
// of twiddle factors shifted by one gives 2π/N in the last pass.
func (p *problem) bound() float64 {
	u := roundoff32
	if p.Double {
		u = roundoff64
	}
	return u * math.Log2(float64(p.N))
}

// check32 compares the output of a float32 version with the reference.
func (p *problem) check32(out []complex64) []framework.Check {
	return compare(p, out, p.answer(), 1, func(v complex64) complex128 { return complex128(v) })
}

// check64 compares the output of a float64 version with the reference.
func (p *problem) check64(out []complex128) []framework.Check {
	return compare(p, out, p.answer(), 1, func(v complex128) complex128 { return v })
}

// roundTrip32 takes what the version makes of its own output in the other
// direction, unscaled: divided by N it must be the input.
func (p *problem) roundTrip32(back []complex64) framework.Check {
	c := compare(p, back, p.in32, 1/float64(p.N), func(v complex64) complex128 { return complex128(v) })[1]
	return framework.Check{Metric: "round trip", Error: c.Error, Bound: 2 * c.Bound}
}

// roundTrip64 is roundTrip32 for float64.
func (p *problem) roundTrip64(back []complex128) framework.Check {
	c := compare(p, back, p.in64, 1/float64(p.N), func(v complex128) complex128 { return v })[1]
	return framework.Check{Metric: "round trip", Error: c.Error, Bound: 2 * c.Bound}
}

// compare measures got·scale against want, over all transforms and in the
// worst of them; the largest error of one element is relative to the root
// mean square of its transform.
func compare[G, W complex64 | complex128](p *problem, got []G, want []W, scale float64, wide func(G) complex128) []framework.Check {
	if len(got) != p.elements() {
		return []framework.Check{{Metric: "relative L2 error", Error: math.NaN(), Bound: p.bound()}}
	}
	type sums struct{ errors, norm, largest float64 }
	each := make([]sums, p.Batch)
	one := func(t int) {
		var s sums
		for i := t * p.N; i < (t+1)*p.N; i++ {
			g, w := wide(got[i]), complex128(want[i])
			re, im := real(g)*scale-real(w), imag(g)*scale-imag(w)
			e := re*re + im*im
			s.errors += e
			s.norm += real(w)*real(w) + imag(w)*imag(w)
			s.largest = max(s.largest, e) // NaN wins
		}
		each[t] = s
	}
	const group = 1 << 16 // elements a worker takes at once
	per := max(1, group/p.N)
	workers.Split(workers.All(), (p.Batch+per-1)/per, func(b int) {
		for t := b * per; t < min((b+1)*per, p.Batch); t++ {
			one(t)
		}
	})
	var total sums
	var worst, largest float64
	for _, s := range each {
		total.errors += s.errors
		total.norm += s.norm
		worst = max(worst, s.errors/s.norm)
		largest = max(largest, s.largest*float64(p.N)/s.norm)
	}
	return []framework.Check{
		{Metric: "relative L2 error", Error: math.Sqrt(total.errors / total.norm), Bound: p.bound()},
		{Metric: "relative L2 error, worst transform", Error: math.Sqrt(worst), Bound: 2 * p.bound()},
		{Metric: "largest element error", Error: math.Sqrt(largest), Bound: 4 * p.bound()},
	}
}
