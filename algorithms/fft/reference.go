package fft

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"sync"

	"example.org/bench/framework"
	"example.org/bench/internal/workers"
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
	merge(x, factors{long: w, short: packed(w, len(x)/cached)}, 1, threads)
}

// cached is a length that the first-level cache holds, from which merge goes
// by loops instead of recursion.
const cached = 1 << 10

// factors are those of a transform, and beside them those of lengths up to cached one
// after another: in long these are a large power of two apart, where they evict each other.
type factors struct{ long, short []complex128 }

// packed are every stride-th factor, or all where stride is 0.
func packed(w []complex128, stride int) []complex128 {
	if stride < 2 {
		return w
	}
	short := make([]complex128, len(w)/stride)
	for i := range short {
		short[i] = w[i*stride]
	}
	return short
}

// merge turns the bit-reversed x into its transform: its quarters first, then the
// butterflies between them, of both lengths at once, so that memory is gone through half as
// often. stride is the distance in w.long of the factors for this length.
func merge(x []complex128, w factors, stride, threads int) {
	if len(x) <= cached {
		for i := 0; i+1 < len(x); i += 2 { // whose factor is 1
			x[i], x[i+1] = x[i]+x[i+1], x[i]-x[i+1]
		}
		for half := 2; half < len(x); half *= 2 {
			s := len(w.short) / half
			for b := 0; b < len(x); b += 2 * half {
				butterflies(x[b:b+half], x[b+half:b+2*half], w.short, s)
			}
		}
		return
	}
	quarter := len(x) / 4
	part := func(i int) []complex128 { return x[i*quarter : (i+1)*quarter] }
	if threads < 2 {
		for i := range 4 {
			merge(part(i), w, 4*stride, 1)
		}
		twoButterflies(x, w.long, stride, 0, quarter)
		return
	}
	each := func(of, threads int) {
		for i := of; i < of+2; i++ {
			merge(part(i), w, 4*stride, threads)
		}
	}
	var halves sync.WaitGroup
	halves.Go(func() { each(0, threads/2) })
	each(2, threads-threads/2)
	halves.Wait()
	workers.Split(threads, threads, func(i int) {
		twoButterflies(x, w.long, stride, quarter*i/threads, quarter*(i+1)/threads)
	})
}

// butterflies combines the elements of both halves.
func butterflies(low, high, w []complex128, stride int) {
	high = high[:len(low)]
	at := 0
	for k, a := range low {
		b := high[k] * w[at]
		low[k], high[k] = a+b, a-b
		at += stride
	}
}

// twoButterflies combines elements from … to-1 of the quarters to those of halves, and
// these to those of x, whose factors are stride apart.
func twoButterflies(x, w []complex128, stride, from, to int) {
	quarter := len(x) / 4
	x0, x1, x2, x3 := x[from:to], x[quarter+from:quarter+to], x[2*quarter+from:2*quarter+to], x[3*quarter+from:3*quarter+to]
	x1, x2, x3 = x1[:len(x0)], x2[:len(x0)], x3[:len(x0)]
	at, quarterTurn := from*stride, quarter*stride
	for k, a := range x0 {
		half, first, second := w[2*at], w[at], w[at+quarterTurn]
		b, c, d := x1[k]*half, x2[k], x3[k]*half
		a, b = a+b, a-b
		c, d = (c+d)*first, (c-d)*second
		x0[k], x1[k], x2[k], x3[k] = a+c, b+d, a-c, b-d
		at += stride
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
		if p.Inputs.Even() { // as in comparison
			for _, y := range answer[t*p.N : (t+1)*p.N] {
				norm = max(norm, math.Hypot(real(y), imag(y)))
			}
		}
		d := sum - answer[at[i]]
		if finite(sum) || finite(answer[at[i]]) {
			errs[i] = share(math.Hypot(real(d), imag(d)), norm)
		}
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
