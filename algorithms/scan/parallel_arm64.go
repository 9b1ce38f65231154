package scan

import "unsafe"

// kernelsFor lists the vector code. NEON is part of every arm64 processor that Go supports. There are no
// stores that bypass the caches, because caches of arm64 detect that a stream of stores writes whole lines.
func kernelsFor[T element]() []*vectorKernels {
	var zero T
	k := &vectorKernels{name: "NEON", lanes: 16 / int(unsafe.Sizeof(zero))}
	var inclusive, exclusive scanKernel
	switch any(zero).(type) {
	case float32:
		inclusive, exclusive, k.sum = scanInclusiveNEONF32, scanExclusiveNEONF32, sumNEONF32
	case float64:
		inclusive, exclusive, k.sum = scanInclusiveNEONF64, scanExclusiveNEONF64, sumNEONF64
	case int32:
		inclusive, exclusive, k.sum = scanInclusiveNEONI32, scanExclusiveNEONI32, sumNEONI32
	}
	k.scan = [2][2]scanKernel{{inclusive, inclusive}, {exclusive, exclusive}}
	return []*vectorKernels{k}
}

// fence does nothing: there are no non-temporal stores.
func fence() {}

//go:noescape
func scanInclusiveNEONF32(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func scanExclusiveNEONF32(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func sumNEONF32(src unsafe.Pointer, vectors int, sums unsafe.Pointer)

//go:noescape
func scanInclusiveNEONF64(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func scanExclusiveNEONF64(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func sumNEONF64(src unsafe.Pointer, vectors int, sums unsafe.Pointer)

//go:noescape
func scanInclusiveNEONI32(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func scanExclusiveNEONI32(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func sumNEONI32(src unsafe.Pointer, vectors int, sums unsafe.Pointer)
