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

// dotsAVX2 writes, for each of 8 reflections stride bytes apart, its product
// with c as 8 sums, one per lane. vectors is the rows by 8.
//
//go:noescape
func dotsAVX2(c, v unsafe.Pointer, stride, vectors int, sums *[64]float32)

// subtractAVX2 subtracts from c each of the 8 reflections times its w.
//
//go:noescape
func subtractAVX2(c, v unsafe.Pointer, stride, vectors int, w *[8]float32)
