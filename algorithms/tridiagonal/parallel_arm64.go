package tridiagonal

import "unsafe"

// kernelsFor is the vector code: NEON is part of every arm64 processor that Go
// supports.
func kernelsFor[T real]() *vectorKernels {
	if sizeOf[T]() == 8 {
		return &vectorKernels{name: "NEON", lanes: 2, divisionFLOPs: 9,
			eliminate: eliminateNEONF64, substitute: substituteNEONF64, reduce: reduceNEONF64, interleave: interleaveNEONF64, separate: separateNEONF64}
	}
	return &vectorKernels{name: "NEON", lanes: 4, divisionFLOPs: 6,
		eliminate: eliminateNEONF32, substitute: substituteNEONF32, reduce: reduceNEONF32, interleave: interleaveNEONF32, separate: separateNEONF32}
}

//go:noescape
func eliminateNEONF32(v, e, a, b, c, d, vBefore, eBefore unsafe.Pointer, rows, width, stride int)

//go:noescape
func substituteNEONF32(v, e unsafe.Pointer, rows, width, stride int)

//go:noescape
func reduceNEONF32(state, a, b, c, d unsafe.Pointer, rows, width int)

//go:noescape
func interleaveNEONF32(dst, src unsafe.Pointer, distance, width, fours int)

//go:noescape
func separateNEONF32(dst, src unsafe.Pointer, distance, width, fours int)

//go:noescape
func eliminateNEONF64(v, e, a, b, c, d, vBefore, eBefore unsafe.Pointer, rows, width, stride int)

//go:noescape
func substituteNEONF64(v, e unsafe.Pointer, rows, width, stride int)

//go:noescape
func reduceNEONF64(state, a, b, c, d unsafe.Pointer, rows, width int)

//go:noescape
func interleaveNEONF64(dst, src unsafe.Pointer, distance, width, fours int)

//go:noescape
func separateNEONF64(dst, src unsafe.Pointer, distance, width, fours int)
