package fft

import (
	"math/rand/v2"

	"example.org/bench/internal/workers"
)

// Random vectors w whose transform F·w is known for less than a transform.
//
// A vector of up to drawn elements is normal, and transformed. One of n = 4·m
// elements is made of a vector v of m elements with its transform V = F·v: each
// of the four classes of its elements, by their index modulo 4, is v with a time
// shift, a frequency shift and a phase of its own, all random. For class j, with
// σ ≡ j (mod 4), whole numbers φ and p, and ω the n-th root of unity of the
// transform:
//
//	w[σ + 4i] = ω^(p-4φi)·v[i]        for i = 0 … m-1, indices modulo n
//	W[k]      = Σ over j of ω^(p+σk)·V[k-φ]   indices of V modulo m
//
// The second follows from the first by putting it into the definition. All
// exponents are whole numbers modulo n.
//
// For a fixed error e the product wᵀ·e is vᵀ·z, where z is the sum of the four
// classes of e, shifted back. ‖z‖² is ‖e‖² in the mean, because the phases are
// independent, and its variance is Σ ‖eᵢ‖²·‖eⱼ‖²/m over i ≠ j, because the squared
// products of one vector with all time and frequency shifts of another have the
// mean ‖·‖²·‖·‖²/m (Moyal's formula for finite groups); that is at most 3/4·‖e‖⁴/m.
// So for v normal the product is normal as if w were, but for a factor √(‖z‖²/‖e‖²)
// that is next to 1, whatever e is; the error of a single element has exactly
// that of a normal number's.
//
// Chirps, whose transform is a chirp and costs even less (Popović, Efficient DFT
// of Zadoff-Chu Sequences), would not do for n = 2^k: a chirp is orthogonal to
// most of the errors that one wrong intermediate value of an FFT makes, a tone on
// every s-th element, and to half of the exchanges of two elements n/2 apart.
const drawn = 1 << 18

// spread is the largest variance of ‖z‖²/‖e‖² for vectors of n elements, 0 for
// drawn ones.
func spread(n, drawn int) float64 {
	product := 1.0
	for ; n > drawn; n /= 4 {
		product *= 1 + 3/float64(n) // 3/4 by n/4
	}
	return product - 1
}

// vector is a random vector of n elements and its transform. Those of more than
// drawn elements are lengthened.
func vector[T element](n, drawn int, seed uint64, inverse bool) (w, transformed []T) {
	m := n
	for m > drawn {
		m /= 4
	}
	v := normal(m, seed)
	turned := make([]complex128, m)
	copyWide(turned, v)
	transformBatch(workers.All(), turned, m, inverse)
	if m == n {
		return narrowed[T](v), narrowed[T](turned)
	}
	wide := make([]complex128, m)
	copyWide(wide, v)
	g := rand.New(rand.NewPCG(seed, ofIdentity))
	for 4*m < n {
		wide, turned = lengthen[complex128](wide, turned, g, inverse)
		m *= 4
	}
	return lengthen[T](wide, turned, g, inverse)
}

// vectorBytes is the most memory that two vectors of n elements of so many bytes take
// with their transforms, while the second is made.
func vectorBytes(n, element int64) int64 {
	if n <= drawn {
		return n * (4*element + 32)
	}
	return n * (4*element + 2*16/4)
}

func narrowed[T, W element](from []W) []T {
	list := make([]T, len(from))
	for i, v := range from {
		list[i] = T(complex128(v))
	}
	return list
}

// rootBlock is how many powers of a root are taken from one table. Between
// blocks they start from the angle again, so that errors do not add up.
const rootBlock = 256

// class is one of the four of a lengthened vector.
type class struct {
	shift, turn, phase int // σ, φ, p
	time, frequency    [rootBlock]complex128
}

// lengthen makes a vector four times as long as v, and its transform of v's.
func lengthen[T element](v, turned []complex128, g *rand.Rand, inverse bool) (w, transformed []T) {
	m := len(v)
	n, block := 4*m, min(m, rootBlock)
	var classes [4]class
	for j := range classes {
		c := &classes[j]
		c.shift, c.turn, c.phase = j+4*g.IntN(m), g.IntN(m), g.IntN(n)
		for i := range block {
			c.time[i] = fourierRoot(-4*c.turn*i, n, inverse)
			c.frequency[i] = fourierRoot(c.shift*i, n, inverse)
		}
	}
	w, transformed = make([]T, n), make([]T, n)
	quarter := imag(fourierRoot(m, n, inverse)) // of ω^m = ∓i
	workers.Split(workers.All(), m/block, func(b int) {
		var z [4][rootBlock]complex128
		from := b * block
		for j := range classes {
			c := &classes[j]
			back := c.shift / 4
			first := fourierRoot(c.phase-4*c.turn*(from-back), n, inverse)
			for i := range block {
				w[j+4*(from+i)] = T(first * c.time[i] * v[(from+i-back)&(m-1)])
			}
			first = fourierRoot(c.phase+c.shift*from, n, inverse)
			for i := range block {
				z[j][i] = first * c.frequency[i] * turned[(from+i-c.turn)&(m-1)]
			}
		}
		for i := range block {
			a, b := z[0][i]+z[2][i], z[0][i]-z[2][i]
			c, d := z[1][i]+z[3][i], z[1][i]-z[3][i]
			d = complex(-quarter*imag(d), quarter*real(d))
			k := from + i
			transformed[k], transformed[k+m] = T(a+c), T(b+d)
			transformed[k+2*m], transformed[k+3*m] = T(a-c), T(b-d)
		}
	})
	return w, transformed
}
