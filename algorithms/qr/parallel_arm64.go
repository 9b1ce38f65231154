package qr

import "unsafe"

// NEON is part of every arm64 processor that Go supports. Its code takes rows of any
// number. v is always 8 columns, stride elements apart.

// vectorDots sets w to the products of c with the columns of v, and returns how
// many rows it took: all.
func vectorDots(c, v []float32, stride int, w *[panelWidth]float32) int {
	dotsNEON(unsafe.Pointer(unsafe.SliceData(c)), unsafe.Pointer(unsafe.SliceData(v)), 4*stride, len(c), w)
	return len(c)
}

// vectorSubtract takes no rows: applyPair does its work.
func vectorSubtract(_, _ []float32, _ int, _ *[panelWidth]float32) int { return 0 }

// subtractOne takes w times v from c.
func subtractOne(c, v []float32, w float32) {
	v = v[:len(c)]
	subtractNEON(unsafe.Pointer(unsafe.SliceData(c)), unsafe.Pointer(unsafe.SliceData(v)), len(c), w)
}

// applyPair takes from two columns V·Tᵀ·Vᵀ times them; t's row k is what the
// product with reflection k counts for each. Both may be the same column.
var applyPair = func(c0, c1, v []float32, stride int, t *[panelWidth][panelWidth]float32) {
	applyNEON(unsafe.Pointer(unsafe.SliceData(c0)), unsafe.Pointer(unsafe.SliceData(c1)),
		unsafe.Pointer(unsafe.SliceData(v)), 4*stride, len(c0), t)
}

// Strides of the assembly are in bytes.

//go:noescape
func dotsNEON(c, v unsafe.Pointer, stride, rows int, w *[8]float32)

//go:noescape
func applyNEON(c0, c1, v unsafe.Pointer, stride, rows int, t *[8][8]float32)

//go:noescape
func subtractNEON(c, v unsafe.Pointer, rows int, w float32)
