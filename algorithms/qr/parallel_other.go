//go:build !amd64

package qr

import "unsafe"

// vectorRows is 0: there is no vector code for this processor.
var vectorRows int

func dotsAVX2(_, _ unsafe.Pointer, _, _ int, _ *[64]float32)    { panic("no vector code") }
func subtractAVX2(_, _ unsafe.Pointer, _, _ int, _ *[8]float32) { panic("no vector code") }
