package fft

import (
	"math"

	"example.org/bench/framework"
	"example.org/bench/internal/workers"
)

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

// give passes an answer to take, in order and in parts: powers of two, so that each is
// whole transforms or a fraction of one.
type give[T element] func(take func(at int, part []T)) error

// whole gives an answer in one part.
func whole[T element](all []T) give[T] {
	return func(take func(int, []T)) error {
		take(0, all)
		return nil
	}
}

// checkAll compares an answer with the reference.
func checkAll[T element](p *problem, answer give[T]) ([]framework.Check, error) {
	c := newComparison[T](p.N, p.answer(), 1)
	c.uneven = p.Inputs.Even()
	if err := answer(c.take); err != nil {
		return nil, err
	}
	return c.checks(p.bound()), nil
}

// roundTrip takes what the version makes of its own output in the other
// direction, unscaled: divided by N it must be the input. Where inputs are not finite there is no
// way back.
func roundTrip[T element](p *problem, input []T, back give[T]) ([]framework.Check, error) {
	if p.Inputs == framework.NaNInputs {
		return nil, nil
	}
	c := newComparison[T](p.N, input, 1/float64(p.N))
	if err := back(c.take); err != nil {
		return nil, err
	}
	worst := c.checks(p.bound())[1]
	return []framework.Check{{Metric: "round trip", Error: worst.Error, Bound: 2 * worst.Bound}}, nil
}

// comparison measures got·scale against want, transforms of n elements, over all
// of them and in the worst; the largest error of one element is relative to the
// root mean square of its transform. A right element that is not finite, in either part, asks for
// one that is not: a transform spreads it over all.
type comparison[G, W element] struct {
	n     int
	want  []W
	scale float64
	// uneven: the inputs are so even that few elements hold a transform. The largest error is
	// then relative to the largest of them: the root mean square is less than one rounding of it.
	uneven bool
	taken  int
	each   []differences // by transform
}

// differences are sums over one transform.
type differences struct{ errors, norm, largest, peak float64 }

func newComparison[G, W element](n int, want []W, scale float64) *comparison[G, W] {
	return &comparison[G, W]{n: n, want: want, scale: scale, each: make([]differences, len(want)/n)}
}

// take compares the part of got that begins at an element.
func (c *comparison[G, W]) take(at int, part []G) {
	c.taken += len(part)
	if at+len(part) > len(c.want) {
		return // checks refuses it
	}
	piece := min(c.n, len(part)) // of one transform
	one := func(i int) {
		from := at + i*piece
		s := &c.each[from/c.n]
		for j, v := range part[i*piece : (i+1)*piece] {
			g, w := complex128(v), complex128(c.want[from+j])
			if !finite(w) {
				if finite(g) {
					s.errors = math.Inf(1)
				}
				continue
			}
			re, im := real(g)*c.scale-real(w), imag(g)*c.scale-imag(w)
			e, size := re*re+im*im, real(w)*real(w)+imag(w)*imag(w)
			s.errors += e
			s.norm += size
			s.largest = max(s.largest, e) // NaN wins
			s.peak = max(s.peak, size)
		}
	}
	const group = 1 << 16 // elements a worker takes at once
	pieces, per := len(part)/max(1, piece), max(1, group/max(1, piece))
	workers.Split(workers.All(), (pieces+per-1)/per, func(b int) {
		for i := b * per; i < min((b+1)*per, pieces); i++ {
			one(i)
		}
	})
}

// checks returns the checks of everything that was taken.
func (c *comparison[G, W]) checks(bound float64) []framework.Check {
	if c.taken != len(c.want) {
		return []framework.Check{{Metric: "relative L2 error", Error: math.NaN(), Bound: bound}}
	}
	var total differences
	var worst, largest float64
	for _, s := range c.each {
		total.errors += s.errors
		total.norm += s.norm
		worst = max(worst, share(s.errors, s.norm))
		if c.uneven {
			largest = max(largest, share(s.largest, s.peak))
		} else {
			largest = max(largest, share(s.largest*float64(c.n), s.norm))
		}
	}
	return []framework.Check{
		{Metric: "relative L2 error", Error: math.Sqrt(share(total.errors, total.norm)), Bound: bound},
		{Metric: "relative L2 error, worst transform", Error: math.Sqrt(worst), Bound: 2 * bound},
		{Metric: "largest element error", Error: math.Sqrt(largest), Bound: 4 * bound},
	}
}

// share returns error divided by size. No error gives 0, even if size is 0.
func share(e, size float64) float64 {
	if e == 0 {
		return 0
	}
	return e / size
}

// finite reports whether both parts are finite.
func finite(x complex128) bool {
	return !math.IsNaN(real(x)-real(x)) && !math.IsNaN(imag(x)-imag(x))
}
