package pattern

import (
	"math"
	"unsafe"
)

const (
	lanesNEON = 4
	// maxShiftVectors is the most vectors that shiftNEON takes.
	maxShiftVectors = 12
)

// vectorKernels lists the vector code: NEON is part of every arm64 processor that
// Go supports.
func vectorKernels() []*vectorKernel {
	return []*vectorKernel{{name: "NEON", lanes: lanesNEON, together: lanesNEON * maxShiftVectors, shift: shiftWithNEON, gain: gainWithNEON}}
}

// vectorsNEON returns how many vectors hold n elements.
func vectorsNEON(n int) int { return (n + lanesNEON - 1) / lanesNEON }

// leastOf returns the lowest index of the least of count sums.
func leastOf(sums *float32, count int) int {
	vectors := vectorsNEON(count)
	all := unsafe.Slice(sums, vectors*lanesNEON)
	for i := count; i < len(all); i++ {
		all[i] = float32(math.Inf(1))
	}
	return leastNEON(unsafe.Pointer(sums), vectors)
}

func shiftWithNEON(sums, template, pairs *float32, n, shifts int) int {
	vectors := vectorsNEON(shifts)
	blocks := (vectors + maxShiftVectors - 1) / maxShiftVectors
	for i, at := 0, 0; i < blocks; i++ {
		next := (i + 1) * vectors / blocks
		first := uintptr(at * lanesNEON * 4)
		shiftNEON(unsafe.Add(unsafe.Pointer(sums), first), unsafe.Add(unsafe.Pointer(template), first), unsafe.Pointer(pairs), n, next-at)
		at = next
	}
	return leastOf(sums, shifts)
}

func gainWithNEON(sums, template, signal, weights, gains *float32, n, count int) (gain int, squared float32) {
	t, s, w := unsafe.Pointer(template), unsafe.Pointer(signal), unsafe.Pointer(weights)
	var e [3]float32
	errorsNEON(t, s, w, vectorsNEON(n), &e)
	parabolaNEON(unsafe.Pointer(sums), unsafe.Pointer(gains), vectorsNEON(count), e[0], -2*e[1], e[2])
	gain = leastOf(sums, count)
	return gain, directNEON(t, s, w, vectorsNEON(n), unsafe.Slice(gains, count)[gain])
}

// shiftNEON sets up to maxShiftVectors vectors of sums, one sum for each shift, over n elements of the
// signal.
//
//go:noescape
func shiftNEON(sums, template, pairs unsafe.Pointer, n, vectors int)

// leastNEON returns the lowest index of the least element.
//
//go:noescape
func leastNEON(sums unsafe.Pointer, vectors int) int

// errorsNEON sets E, -B/2 and C of kernels/fused.cu.
//
//go:noescape
func errorsNEON(template, signal, weights unsafe.Pointer, vectors int, sums *[3]float32)

// parabolaNEON sets sums to the errors that E, B and C give with the gains.
//
//go:noescape
func parabolaNEON(sums, gains unsafe.Pointer, vectors int, e, b, c float32)

// directNEON returns the error with a gain.
//
//go:noescape
func directNEON(template, signal, weights unsafe.Pointer, vectors int, gain float32) float32
