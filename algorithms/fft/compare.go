package fft

import (
	"math"

	"bench/framework"
	"bench/framework/workers"
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

// check32 compares the output of a float32 version with the reference.
func (p *problem) check32(out []complex64) []framework.Check {
	return compare(p.N, p.bound(), out, p.answer(), 1)
}

// check64 compares the output of a float64 version with the reference.
func (p *problem) check64(out []complex128) []framework.Check {
	return compare(p.N, p.bound(), out, p.answer(), 1)
}

// roundTrip32 takes what the version makes of its own output in the other
// direction, unscaled: divided by N it must be the input.
func (p *problem) roundTrip32(back []complex64) framework.Check {
	c := compare(p.N, p.bound(), back, p.in32, 1/float64(p.N))[1]
	return framework.Check{Metric: "round trip", Error: c.Error, Bound: 2 * c.Bound}
}

// roundTrip64 is roundTrip32 for float64.
func (p *problem) roundTrip64(back []complex128) framework.Check {
	c := compare(p.N, p.bound(), back, p.in64, 1/float64(p.N))[1]
	return framework.Check{Metric: "round trip", Error: c.Error, Bound: 2 * c.Bound}
}

// compare measures got·scale against want, transforms of n elements, over all
// of them and in the worst; the largest error of one element is relative to the
// root mean square of its transform.
func compare[G, W element](n int, bound float64, got []G, want []W, scale float64) []framework.Check {
	if len(got) != len(want) {
		return []framework.Check{{Metric: "relative L2 error", Error: math.NaN(), Bound: bound}}
	}
	batch := len(want) / n
	type sums struct{ errors, norm, largest float64 }
	each := make([]sums, batch)
	one := func(t int) {
		var s sums
		for i := t * n; i < (t+1)*n; i++ {
			g, w := complex128(got[i]), complex128(want[i])
			re, im := real(g)*scale-real(w), imag(g)*scale-imag(w)
			e := re*re + im*im
			s.errors += e
			s.norm += real(w)*real(w) + imag(w)*imag(w)
			s.largest = max(s.largest, e) // NaN wins
		}
		each[t] = s
	}
	const group = 1 << 16 // elements a worker takes at once
	per := max(1, group/n)
	workers.Split(workers.All(), (batch+per-1)/per, func(b int) {
		for t := b * per; t < min((b+1)*per, batch); t++ {
			one(t)
		}
	})
	var total sums
	var worst, largest float64
	for _, s := range each {
		total.errors += s.errors
		total.norm += s.norm
		worst = max(worst, s.errors/s.norm)
		largest = max(largest, s.largest*float64(n)/s.norm)
	}
	return []framework.Check{
		{Metric: "relative L2 error", Error: math.Sqrt(total.errors / total.norm), Bound: bound},
		{Metric: "relative L2 error, worst transform", Error: math.Sqrt(worst), Bound: 2 * bound},
		{Metric: "largest element error", Error: math.Sqrt(largest), Bound: 4 * bound},
	}
}
