package fft

import (
	"math"
	"math/bits"
	"runtime"
	"sync"
)

// The reference: the radix-2 transform in double precision, decimation in
// time, in place. It is written to be read; its twiddle factors are each
// computed from the angle, never by recurrence, so that its error stays at
// the bound in problem.bound for all lengths.

// transformBatch transforms each run of n elements of x in place, all cores
// at work.
func transformBatch(x []complex128, n int, inverse bool) {
	w := twiddles(n, inverse)
	batch := len(x) / n
	workers := runtime.GOMAXPROCS(0)
	if batch >= workers {
		parallel(batch, func(t int) { transform(x[t*n:(t+1)*n], w, 1) })
		return
	}
	for t := range batch {
		transform(x[t*n:(t+1)*n], w, workers)
	}
}

// transform transforms x in place with up to workers goroutines; w are the
// len(x)/2 factors of twiddles(len(x), …).
func transform(x, w []complex128, workers int) {
	shift := 64 - uint(bits.Len(uint(len(x)))-1)
	for i := range x {
		if j := int(bits.Reverse64(uint64(i)) >> shift); i < j {
			x[i], x[j] = x[j], x[i]
		}
	}
	merge(x, w, 1, workers)
}

// merge turns the bit-reversed x into its transform: both halves first, then
// the butterflies between them. stride is the distance in w of the factors
// for this length.
func merge(x, w []complex128, stride, workers int) {
	if len(x) == 1 {
		return
	}
	half := len(x) / 2
	low, high := x[:half], x[half:]
	if workers < 2 || half < 1<<12 {
		merge(low, w, 2*stride, 1)
		merge(high, w, 2*stride, 1)
		butterflies(low, high, w, stride, 0, half)
		return
	}
	var halves sync.WaitGroup
	halves.Go(func() { merge(low, w, 2*stride, workers/2) })
	merge(high, w, 2*stride, workers-workers/2)
	halves.Wait()
	parallel(workers, func(i int) {
		butterflies(low, high, w, stride, half*i/workers, half*(i+1)/workers)
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
	parallel((len(w)+block-1)/block, func(b int) {
		for k := b * block; k < min((b+1)*block, len(w)); k++ {
			w[k] = root(k, n)
			if inverse {
				w[k] = complex(real(w[k]), -imag(w[k]))
			}
		}
	})
	return w
}

// root is exp(-2πi·k/n) for n a multiple of 8 or less than 8. The angle is
// reduced in whole numbers to at most an eighth of a turn, so that the
// symmetries are exact and the cosine never loses digits near zero.
func root(k, n int) complex128 {
	k = ((k % n) + n) % n
	eighths := 8 * k / n // octant of the angle
	near := k - (eighths+1)/2*n/4
	s, c := math.Sincos(2 * math.Pi * float64(near) / float64(n))
	switch (eighths + 1) / 2 % 4 { // quarter turns taken off
	case 0:
		return complex(c, -s)
	case 1:
		return complex(-s, -c)
	case 2:
		return complex(-c, s)
	}
	return complex(s, c)
}
