package fft

import (
	"math"
	"math/rand/v2"

	"bench/framework"
	"bench/framework/workers"
)

// A transform is checked without its reference answer by its inner product with
// random numbers w: for y = F·x it is wᵀ·y = (F·w)ᵀ·x, because the Fourier matrix
// is symmetric. F·w is computed once in double precision; a transform then costs
// two passes instead of log2 N. The real and imaginary parts of w are independent
// normal numbers. An error e of the answer changes the product by wᵀ·e, whose
// squared magnitude is ‖e‖² times an exponentially distributed number, whatever e
// is. So
//
//   - e escapes one vector with a probability of at most (slack·b/‖e‖)², where
//     slack·b is the largest product that passes and b the norm of an error that
//     full verification takes in one transform, and all vectors with that to the
//     power of their number;
//   - an error that full verification takes is refused with e^(-slack²) at most.
const slack = 6

// escapes is the largest probability that a wrong element passes whose error is
// the root mean square of its transform: fewer vectors would do for larger ones.
const escapes = 1e-5

// sampleElements are those of the transforms that are compared with the reference
// beside; at least one transform is.
const sampleElements = 1 << 18

// vectors is how many inner products a transform is checked by.
func (p *problem) vectors() int {
	one := slack * 2 * p.bound() * math.Sqrt(float64(p.N))
	return max(1, int(math.Ceil(math.Log(escapes)/(2*math.Log(one)))))
}

// sampled is how many transforms are compared with the reference.
func (p *problem) sampled() int { return max(1, sampleElements/p.N) }

// hasIdentity reports whether the identity costs less than the whole reference.
func (p *problem) hasIdentity() bool { return p.Batch > p.sampled()+p.vectors() }

// identity is what answers are checked by in place of the whole reference.
type identity struct {
	vectors  [][]complex64  // w
	products [][]complex128 // (F·w)ᵀ·x by vector and transform
	norms    []float64      // of the answer, by transform: √N·‖x‖
	sample   []int          // transforms, ascending
	wanted   []complex128   // their answers
}

// identity is made when first asked for.
func (p *problem) identity() *identity {
	p.identityOnce.Do(func() {
		if p.Double {
			p.made = newIdentity(p, p.in64)
		} else {
			p.made = newIdentity(p, p.in32)
		}
	})
	return p.made
}

// ofIdentity distinguishes its random numbers from the inputs'.
const ofIdentity = 0x9e3779b97f4a7c15

func newIdentity[T element](p *problem, in []T) *identity {
	count, sampled := p.vectors(), p.sampled()
	c := &identity{norms: make([]float64, p.Batch)}
	// What is to be transformed: the sample's inputs, then the vectors.
	all := make([]complex128, (sampled+count)*p.N)
	g := rand.New(rand.NewPCG(p.seed, ofIdentity))
	for i := range sampled { // one of each part of the batch
		from, to := i*p.Batch/sampled, (i+1)*p.Batch/sampled
		c.sample = append(c.sample, from+g.IntN(to-from))
	}
	workers.Split(workers.All(), sampled, func(i int) {
		for j, v := range in[c.sample[i]*p.N : (c.sample[i]+1)*p.N] {
			all[i*p.N+j] = complex128(v)
		}
	})
	for k := range count {
		w := normal(p.N, p.seed^ofIdentity*uint64(k+1))
		copyWide(all[(sampled+k)*p.N:(sampled+k+1)*p.N], w)
		c.vectors = append(c.vectors, w)
	}
	transformBatch(workers.All(), all, p.N, p.Inverse)
	c.wanted = all[: sampled*p.N : sampled*p.N]
	turned := make([][]complex128, count)
	for k := range turned {
		turned[k] = all[(sampled+k)*p.N : (sampled+k+1)*p.N]
	}
	x := newProducts(p.N, p.Batch, count)
	x.norms = make([]float64, len(x.parts[0]))
	add(x, turned, 0, in)
	for k := range count {
		sums := make([]complex128, p.Batch)
		for t := range sums {
			sums[t] = x.of(k, t)
		}
		c.products = append(c.products, sums)
	}
	for t := range c.norms {
		sum := 0.0
		for _, s := range x.norms[t*x.per : (t+1)*x.per] {
			sum += s
		}
		c.norms[t] = math.Sqrt(float64(p.N) * sum)
	}
	return c
}

// normal draws complex numbers whose parts are normal, rounded to float32, with a
// mean square of 1.
func normal(n int, seed uint64) []complex64 {
	list := make([]complex64, n)
	workers.Split(workers.All(), (n+randomBlock-1)/randomBlock, func(b int) {
		g := rand.New(rand.NewPCG(seed, uint64(b)))
		for i := b * randomBlock; i < min((b+1)*randomBlock, n); i++ {
			list[i] = complex(float32(g.NormFloat64()*math.Sqrt2/2), float32(g.NormFloat64()*math.Sqrt2/2))
		}
	})
	return list
}

// piece is the most elements that one worker multiplies at once.
const piece = 1 << 13

// products are inner products of vectors with all transforms, by pieces.
type products struct {
	n, piece, per int // elements of a transform and of a piece; pieces a transform
	parts         [][]complex128
	norms         []float64 // squares of the pieces' norms; nil: not asked for
}

func newProducts(n, batch, vectors int) *products {
	x := &products{n: n, piece: min(n, piece)}
	x.per = n / x.piece
	for range vectors {
		x.parts = append(x.parts, make([]complex128, batch*x.per))
	}
	return x
}

// of is the product of vector k with transform t.
func (x *products) of(k, t int) complex128 { return sum(x.parts[k][t*x.per : (t+1)*x.per]) }

// add multiplies the elements from at on, which are whole pieces.
func add[T, W element](x *products, vectors [][]W, at int, elements []T) {
	const group = 1 << 15 // elements a worker takes at once
	each := max(1, group/x.piece)
	pieces := len(elements) / x.piece
	workers.Split(workers.All(), (pieces+each-1)/each, func(g int) {
		for i := g * each; i < min((g+1)*each, pieces); i++ {
			y := elements[i*x.piece : (i+1)*x.piece]
			j := at/x.piece + i
			from := j % x.per * x.piece
			for k, w := range vectors {
				x.parts[k][j] = product(w[from:from+x.piece], y)
			}
			if x.norms != nil {
				for _, v := range y {
					re, im := real(complex128(v)), imag(complex128(v))
					x.norms[j] += re*re + im*im
				}
			}
		}
	})
}

// leaf is how many products are added one after another. Longer sums are of
// halves, so that rounding errors stay below those that are looked for.
const leaf = 128

// product is wᵀ·y.
func product[T, W element](w []W, y []T) complex128 {
	if len(y) > leaf {
		half := len(y) / 2
		return product(w[:half], y[:half]) + product(w[half:], y[half:])
	}
	// Sums that do not wait for one another; len(y) is even.
	w = w[:len(y)]
	var s0, s1, s2, s3, t0, t1, t2, t3 float64
	for i := 0; i+1 < len(y); i += 2 {
		a, b := complex128(w[i]), complex128(y[i])
		c, d := complex128(w[i+1]), complex128(y[i+1])
		s0 += real(a) * real(b)
		s1 += imag(a) * imag(b)
		s2 += real(a) * imag(b)
		s3 += imag(a) * real(b)
		t0 += real(c) * real(d)
		t1 += imag(c) * imag(d)
		t2 += real(c) * imag(d)
		t3 += imag(c) * real(d)
	}
	return complex(s0-s1+(t0-t1), s2+s3+(t2+t3))
}

// sum adds numbers by halves.
func sum(x []complex128) complex128 {
	if len(x) > leaf {
		return sum(x[:len(x)/2]) + sum(x[len(x)/2:])
	}
	var s complex128
	for _, v := range x {
		s += v
	}
	return s
}

// examination is the identity applied to one answer, which comes in parts.
type examination[T element] struct {
	p      *problem
	c      *identity
	x      *products
	sample []T // the answer's part that is compared with the reference
}

func examine[T element](p *problem) *examination[T] {
	c := p.identity()
	return &examination[T]{p, c, newProducts(p.N, p.Batch, len(c.vectors)), make([]T, len(c.sample)*p.N)}
}

// take examines the elements from at on. Parts are whole transforms, or whole
// fractions of one.
func (e *examination[T]) take(at int, part []T) {
	add(e.x, e.c.vectors, at, part)
	for i, t := range e.c.sample {
		// Where the transform and the part overlap.
		from, to := max(at, t*e.p.N), min(at+len(part), (t+1)*e.p.N)
		if from < to {
			copy(e.sample[i*e.p.N+from-t*e.p.N:], part[from-at:to-at])
		}
	}
}

// checks are those of the whole answer.
func (e *examination[T]) checks() []framework.Check {
	list := compare(e.p.N, e.p.bound(), e.sample, e.c.wanted, 1)
	for i := range list {
		list[i].Metric += ", sample"
	}
	worst := 0.0
	for t, norm := range e.c.norms {
		for k := range e.c.vectors {
			d := e.x.of(k, t) - e.c.products[k][t]
			worst = max(worst, math.Hypot(real(d), imag(d))/norm) // NaN wins
		}
	}
	return append(list, framework.Check{
		Metric: "inner product with random numbers, worst transform", Error: worst, Bound: slack * 2 * e.p.bound()})
}

// verifyFast checks an answer that give hands over in parts.
func verifyFast[T element](p *problem, give func(take func(at int, part []T)) error) ([]framework.Check, error) {
	if !p.hasIdentity() {
		return nil, framework.ErrNoFastCheck
	}
	e := examine[T](p)
	if err := give(e.take); err != nil {
		return nil, err
	}
	return e.checks(), nil
}
