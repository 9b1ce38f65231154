package qr

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// vectorRows is the rows that the vector code takes at a time; 0: there is
// none for this processor.
var vectorRows = func() int {
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		return 8
	}
	return 0
}()

// vectored is how many of n rows the vector code takes.
func vectored(n int) int {
	if vectorRows == 0 {
		return 0
	}
	return n &^ (vectorRows - 1)
}

// vectorDots sets w to the products of c's first rows with 8 columns of v, stride
// elements apart, and returns how many rows they are.
func vectorDots(c, v []float32, stride int, w *[panelWidth]float32) int {
	n := vectored(len(c))
	if n > 0 {
		var sums [8 * panelWidth]float32
		dotsAVX2(unsafe.Pointer(&c[0]), unsafe.Pointer(&v[0]), 4*stride, n/vectorRows, &sums)
		for k := range w {
			s := sums[8*k : 8*k+8]
			w[k] = ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]))
		}
	}
	return n
}

// vectorSubtract takes w times 8 columns of v from c's first rows, and returns how
// many they are.
func vectorSubtract(c, v []float32, stride int, w *[panelWidth]float32) int {
	n := vectored(len(c))
	if n > 0 {
		subtractAVX2(unsafe.Pointer(&c[0]), unsafe.Pointer(&v[0]), 4*stride, n/vectorRows, w)
	}
	return n
}

// subtractOne takes w times v from c.
func subtractOne(c, v []float32, w float32) { plainSubtract(c, v, w) }

// applyPair is nil: columns are taken one by one.
var applyPair func(c0, c1, v []float32, stride int, t *[panelWidth][panelWidth]float32)

// dotsAVX2 writes, for each of 8 reflections stride bytes apart, its product
// with c as 8 sums, one per lane. vectors is the rows by 8.
//
//go:noescape
func dotsAVX2(c, v unsafe.Pointer, stride, vectors int, sums *[64]float32)

// subtractAVX2 subtracts from c each of the 8 reflections times its w.
//
//go:noescape
func subtractAVX2(c, v unsafe.Pointer, stride, vectors int, w *[8]float32)
