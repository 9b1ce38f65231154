package fft

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"example.org/bench/framework"
	"example.org/bench/framework/inputs"
	"example.org/bench/framework/stats"
	"example.org/bench/internal/workers"
)

// A transform is checked without its reference answer by its inner product with
// random numbers w: for y = F·x it is wᵀ·y = (F·w)ᵀ·x, because the Fourier matrix
// is symmetric. A transform then costs two passes instead of log2 N; w and F·w are
// the same for all. The real and imaginary parts of w are independent normal
// numbers. An error e of the answer changes the product by wᵀ·e, whose
// squared magnitude is ‖e‖² times an exponentially distributed number, whatever e
// is. So
//
//   - e escapes one vector with a probability of at most (slack·b/‖e‖)², where
//     slack·b is the largest product that passes and b the norm of an error that
//     full verification takes in one transform, and all vectors with that to the
//     power of their number;
//   - an error that full verification takes is refused with e^(-slack²) at most.
//
// Vectors longer than drawn (vectors.go) are nearly so.
const slack = 6

// escapes is the largest probability that an error passes as large as one element
// that is wrong by the root mean square of its transform: fewer vectors would do
// for larger ones.
const escapes = 1e-5

// sampleElements are those of the transforms that are compared with the reference
// beside. Of longer transforms one is if it is one of sampleShare at least.
const (
	sampleElements = 1 << 18
	sampleShare    = 64
)

// vectors returns how many inner products check a transform.
func (p *problem) vectors() int {
	return max(1, int(math.Ceil(math.Log(escapes)/math.Log(p.escape(1/math.Sqrt(float64(p.N)))))))
}

// escape is the largest probability that an error of that norm, relative to its
// transform's, passes one vector: by the law of normal vectors if the factor on its
// square is at least some θ, and else by Cantelli's inequality for that.
func (p *problem) escape(norm float64) float64 {
	one := slack * 2 * p.bound() / norm
	variance := spread(p.N, drawn)
	if variance == 0 {
		return one * one
	}
	least := math.Inf(1)
	for theta := 0.01; theta < 1; theta += 0.01 {
		least = min(least, one*one/theta+variance/(variance+(1-theta)*(1-theta)))
	}
	return least
}

// sampled returns how many transforms are compared with the reference.
func (p *problem) sampled() int {
	if p.N > sampleElements && p.Batch >= sampleShare {
		return 1
	}
	return min(sampleElements/p.N, p.Batch)
}

// hasIdentity reports whether the identity costs less than the whole reference,
// by FLOPs: 5·log2 N an element of a transform in double precision, 8 to compare
// it, 8 a vector for the product with an input or an answer, 4 for a norm. A vector
// that is not drawn takes 28, and its parts a third of that. Inputs that are not finite leave no
// product.
func (p *problem) hasIdentity() bool {
	if p.Inputs == framework.NaNInputs {
		return false
	}
	vectors, transform := p.vectors(), 5*(bits.Len(uint(p.N))-1)
	make := transform
	if p.N > drawn {
		make = 28 * 4 / 3
	}
	return p.sampled()*(transform+8)+vectors*make+p.Batch*(2*8*vectors+4) < p.Batch*(transform+8)
}

// identity is what answers are checked by in place of the whole reference.
type identity[T element] struct {
	vectors  [][]T          // w
	products [][]complex128 // (F·w)ᵀ·x by vector and transform
	norms    []float64      // of the answer, by transform: √N·‖x‖
	sample   []int          // transforms, ascending
	wanted   []complex128   // their answers
}

// identityOf is made when first asked for; T is the problem's precision.
func identityOf[T element](p *problem) *identity[T] {
	p.identityOnce.Do(func() {
		in := any(p.in32)
		if p.Double {
			in = p.in64
		}
		p.made = newIdentity(p, in.([]T))
	})
	return p.made.(*identity[T])
}

// ofIdentity distinguishes its random numbers from the inputs'.
const ofIdentity = 0x9e3779b97f4a7c15

func newIdentity[T element](p *problem, in []T) *identity[T] {
	count, sampled := p.vectors(), p.sampled()
	c := &identity[T]{norms: make([]float64, p.Batch)}
	c.sample = stats.Stratified(rand.New(rand.NewPCG(p.seed, ofIdentity)), p.Batch, sampled)
	c.wanted = make([]complex128, sampled*p.N)
	for i, t := range c.sample {
		copyWide(c.wanted[i*p.N:(i+1)*p.N], in[t*p.N:(t+1)*p.N])
	}
	if sampled > 0 {
		transformBatch(workers.All(), c.wanted, p.N, p.Inverse)
	}
	turned := make([][]T, count)
	c.vectors = make([][]T, count)
	for k := range count {
		c.vectors[k], turned[k] = vector[T](p.N, drawn, p.seed^ofIdentity*uint64(k+1), p.Inverse)
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
	inputs.Draw(n, seed, 0, func(source *rand.PCG, from, to int) {
		g := rand.New(source)
		for i := from; i < to; i++ {
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

// add multiplies the elements from at on, which are whole pieces: of all
// transforms one piece after the other, so that the vectors' stay in the cache.
func add[T element](x *products, vectors [][]T, at int, elements []T) {
	const group = 1 << 15 // elements a worker takes at once
	each := max(1, group/x.piece)
	pieces, batch := len(elements)/x.piece, max(1, len(elements)/x.n)
	workers.Split(workers.All(), (pieces+each-1)/each, func(g int) {
		for item := g * each; item < min((g+1)*each, pieces); item++ {
			i := item%batch*(pieces/batch) + item/batch
			y := elements[i*x.piece : (i+1)*x.piece]
			j := at/x.piece + i
			from := j % x.per * x.piece
			k := 0
			for ; k+1 < len(vectors); k += 2 {
				x.parts[k][j], x.parts[k+1][j] = products2(vectors[k][from:from+x.piece], vectors[k+1][from:from+x.piece], y)
			}
			if k < len(vectors) {
				x.parts[k][j] = product(vectors[k][from:from+x.piece], y)
			}
			if x.norms != nil {
				x.norms[j] = squares(y)
			}
		}
	})
}

// leaf is how many products are added one after another. Longer sums are of
// halves, so that rounding errors stay below those that are looked for.
const leaf = 128

// product returns wᵀ·y.
func product[T element](w, y []T) complex128 {
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

// products2 are vᵀ·y and wᵀ·y, for which y is loaded and widened once.
func products2[T element](v, w, y []T) (vy, wy complex128) {
	if len(y) > leaf {
		half := len(y) / 2
		v0, w0 := products2(v[:half], w[:half], y[:half])
		v1, w1 := products2(v[half:], w[half:], y[half:])
		return v0 + v1, w0 + w1
	}
	v, w = v[:len(y)], w[:len(y)]
	var s0, s1, s2, s3, t0, t1, t2, t3 float64
	for i := range y {
		a, b, c := complex128(v[i]), complex128(w[i]), complex128(y[i])
		s0 += real(a) * real(c)
		s1 += imag(a) * imag(c)
		s2 += real(a) * imag(c)
		s3 += imag(a) * real(c)
		t0 += real(b) * real(c)
		t1 += imag(b) * imag(c)
		t2 += real(b) * imag(c)
		t3 += imag(b) * real(c)
	}
	return complex(s0-s1, s2+s3), complex(t0-t1, t2+t3)
}

// squares returns ‖y‖².
func squares[T element](y []T) float64 {
	if len(y) > leaf {
		return squares(y[:len(y)/2]) + squares(y[len(y)/2:])
	}
	var s0, s1, s2, s3 float64
	for i := 0; i+1 < len(y); i += 2 {
		a, b := complex128(y[i]), complex128(y[i+1])
		s0 += real(a) * real(a)
		s1 += imag(a) * imag(a)
		s2 += real(b) * real(b)
		s3 += imag(b) * imag(b)
	}
	return s0 + s1 + (s2 + s3)
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
	c      *identity[T]
	x      *products
	sample []T // the answer's part that is compared with the reference
}

func examine[T element](p *problem) *examination[T] {
	c := identityOf[T](p)
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

// checks are those of the whole answer. The mean square of a transform's products
// is that of its error, so that those of all transforms tell the error of the whole
// answer: a version that is less exact than it should be everywhere shows there
// before it does in one transform. What full verification takes is refused there
// with slack²·e^(1-slack²) at most (Chernoff's bound).
func (e *examination[T]) checks() []framework.Check {
	var list []framework.Check
	if len(e.c.sample) > 0 {
		c := newComparison[T](e.p.N, e.c.wanted, 1)
		c.uneven = e.p.Inputs.Even()
		c.take(0, e.sample)
		list = c.checks(e.p.bound())
		for i := range list {
			list[i].Metric += ", sample"
		}
	}
	var worst, errors, norms float64
	for t, norm := range e.c.norms {
		norms += norm * norm
		for k := range e.c.vectors {
			d := e.x.of(k, t) - e.c.products[k][t]
			size := math.Hypot(real(d), imag(d))
			worst = max(worst, share(size, norm)) // NaN wins
			errors += size * size
		}
	}
	errors /= float64(len(e.c.vectors))
	return append(list,
		framework.Check{Metric: "inner product with random numbers, worst transform", Error: worst, Bound: slack * 2 * e.p.bound()},
		framework.Check{Metric: "inner products with random numbers, root mean square", Error: math.Sqrt(share(errors, norms)), Bound: slack * e.p.bound()})
}

// verifyFast checks an answer that give hands over in parts.
func verifyFast[T element](p *problem, answer give[T]) ([]framework.Check, error) {
	if !p.hasIdentity() {
		return nil, framework.ErrNoFastCheck
	}
	e := examine[T](p)
	if err := answer(e.take); err != nil {
		return nil, err
	}
	return e.checks(), nil
}
