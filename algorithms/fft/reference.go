package fft

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"sync"

	"bench/framework"
	"bench/framework/workers"
)

// The reference: the radix-2 transform in double precision, decimation in
// time, in place. It is written to be read; its twiddle factors are each
// computed from the angle, never by recurrence, so that its error stays well
// below problem.bound for all lengths.

// transformBatch transforms each run of n elements of x in place.
func transformBatch(threads int, x []complex128, n int, inverse bool) {
	w := twiddles(n, inverse)
	batch := len(x) / n
	if batch >= threads {
		workers.Split(threads, batch, func(t int) { transform(x[t*n:(t+1)*n], w, 1) })
		return
	}
	for t := range batch {
		transform(x[t*n:(t+1)*n], w, threads)
	}
}

// transform transforms x in place with up to that many threads; w are the
// len(x)/2 factors of twiddles(len(x), …).
func transform(x, w []complex128, threads int) {
	shift := 64 - uint(bits.Len(uint(len(x)))-1)
	// Each pair is exchanged by the worker that has its lower index.
	workers.Split(threads, threads, func(part int) {
		for i := len(x) * part / threads; i < len(x)*(part+1)/threads; i++ {
			if j := int(bits.Reverse64(uint64(i)) >> shift); i < j {
				x[i], x[j] = x[j], x[i]
			}
		}
	})
	merge(x, w, 1, threads)
}

// cached is a length that the first-level cache holds, from which merge goes
// by loops instead of recursion.
const cached = 1 << 10

// merge turns the bit-reversed x into its transform: both halves first, then
// the butterflies between them. stride is the distance in w of the factors
// for this length.
func merge(x, w []complex128, stride, threads int) {
	if len(x) <= cached {
		for half := 1; half < len(x); half *= 2 {
			s := stride * (len(x) / 2 / half)
			for b := 0; b < len(x); b += 2 * half {
				butterflies(x[b:b+half], x[b+half:b+2*half], w, s, 0, half)
			}
		}
		return
	}
	half := len(x) / 2
	low, high := x[:half], x[half:]
	if threads < 2 {
		merge(low, w, 2*stride, 1)
		merge(high, w, 2*stride, 1)
		butterflies(low, high, w, stride, 0, half)
		return
	}
	var halves sync.WaitGroup
	halves.Go(func() { merge(low, w, 2*stride, threads/2) })
	merge(high, w, 2*stride, threads-threads/2)
	halves.Wait()
	workers.Split(threads, threads, func(i int) {
		butterflies(low, high, w, stride, half*i/threads, half*(i+1)/threads)
	})
}

// butterflies combines elements from … to-1 of both halves.
func butterflies(low, high, w []complex128, stride, from, to int) {
	for k := from; k < to; k++ {
		a, b := low[k], high[k]*w[k*stride]
		low[k], high[k] = a+b, a-b
	}
}

// twiddles are exp(∓2πi·k/n), k = 0 … n/2-1; plus for the inverse.
func twiddles(n int, inverse bool) []complex128 {
	w := make([]complex128, n/2)
	const block = 1 << 12
	workers.Split(workers.All(), (len(w)+block-1)/block, func(b int) {
		for k := b * block; k < min((b+1)*block, len(w)); k++ {
			w[k] = fourierRoot(k, n, inverse)
		}
	})
	return w
}

// fourierRoot is exp(-2πi·k/n), or exp(2πi·k/n) for the inverse, for any k and n a power of
// two from 4 on.
func fourierRoot(k, n int, inverse bool) complex128 {
	w := unitRoot(k&(n-1), n)
	if inverse {
		return complex(real(w), -imag(w))
	}
	return w
}

// unitRoot is exp(-2πi·k/n) for k ≥ 0 and n a multiple of 4. The angle is reduced
// in whole numbers to at most an eighth of a turn, so that the symmetries are
// exact and a cosine near zero keeps its digits.
func unitRoot(k, n int) complex128 {
	k %= n
	quarters := (8*k/n + 1) / 2 // the nearest number of quarter turns
	s, c := math.Sincos(2 * math.Pi * float64(k-quarters*(n/4)) / float64(n))
	switch quarters % 4 {
	case 1:
		return complex(-s, -c)
	case 2:
		return complex(-c, s)
	case 3:
		return complex(s, c)
	}
	return complex(c, -s)
}

// referenceTransformer runs the reference as a version of its own.
type referenceTransformer[T element] struct {
	n, workers int
	inverse    bool
	wide       []complex128
}

func (r *referenceTransformer[T]) run(out, in []T) error {
	for i, v := range in {
		r.wide[i] = complex128(v)
	}
	transformBatch(r.workers, r.wide, r.n, r.inverse)
	for i, v := range r.wide {
		out[i] = T(v)
	}
	return nil
}

// work: a butterfly is a complex multiplication and two additions, 10 FLOPs;
// it loads two elements and a twiddle factor and stores two elements of 16
// bytes. Before, each element is widened and bit-reversed, and narrowed
// after. The n/2 twiddle factors of a Run are left out.
func (r *referenceTransformer[T]) Work() framework.Work {
	e := int64(len(r.wide))
	passes := int64(bits.Len(uint(r.n)) - 1)
	narrow := elementBytes[T]()
	return framework.Work{
		FLOPs:      e / 2 * passes * 10,
		LoadBytes:  e*(narrow+16+16) + e/2*passes*48,
		StoreBytes: e*(16+16+narrow) + e/2*passes*32,
	}
}

func (r *referenceTransformer[T]) Close() error { return nil }

func prepareReference[T element](p *problem, env framework.Env, _ framework.Values) (transformer[T], error) {
	return &referenceTransformer[T]{n: p.N, workers: max(1, env.Workers), inverse: p.Inverse,
		wide: make([]complex128, p.elements())}, nil
}

// directCheck compares the reference answer with the definition, the sum over
// all inputs, for some bins of the first and the last transform.
func directCheck(p *problem) framework.Check {
	const bins = 8
	g := rand.New(rand.NewPCG(uint64(p.N), uint64(p.Batch)))
	at := make([]int, bins)
	for i := range at {
		at[i] = g.IntN(p.N)
		if i%2 == 1 {
			at[i] += (p.Batch - 1) * p.N
		}
	}
	at[0] = p.N - 1
	answer, errs := p.answer(), make([]float64, bins)
	workers.Split(workers.All(), bins, func(i int) {
		t, k := at[i]/p.N, at[i]%p.N
		sum, norm := directSum(p, t, k)
		d := sum - answer[at[i]]
		errs[i] = math.Hypot(real(d), imag(d)) / norm
	})
	c := framework.Check{Metric: "direct sum", Bound: 4 * roundoff64 * math.Log2(float64(p.N))}
	for _, e := range errs {
		c.Error = max(c.Error, e)
	}
	return c
}

// directSum is bin k of transform t by its definition, and the root of the
// sum of the squares of the transform's inputs, which is the root mean square
// of its bins (Parseval).
func directSum(p *problem, t, k int) (sum complex128, norm float64) {
	var re, im compensated
	for j := range p.N {
		var x complex128
		if p.Double {
			x = p.in64[t*p.N+j]
		} else {
			x = complex128(p.in32[t*p.N+j])
		}
		term := x * fourierRoot(j*k, p.N, p.Inverse)
		re.add(real(term))
		im.add(imag(term))
		norm += real(x)*real(x) + imag(x)*imag(x)
	}
	return complex(re.value(), im.value()), math.Sqrt(norm)
}

// compensated sums with the rounding error carried along (Neumaier,
// Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen).
type compensated struct{ sum, lost float64 }

func (c *compensated) add(x float64) {
	s := c.sum + x
	if math.Abs(c.sum) >= math.Abs(x) {
		c.lost += c.sum - s + x
	} else {
		c.lost += x - s + c.sum
	}
	c.sum = s
}

func (c *compensated) value() float64 { return c.sum + c.lost }
