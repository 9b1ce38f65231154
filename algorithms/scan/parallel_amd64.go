package scan

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// kernelsFor lists the vector code that this processor runs, the best first.
func kernelsFor[T element]() (list []*vectorKernels) {
	var zero T
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW {
		switch any(zero).(type) {
		case float32:
			list = append(list, &vectorKernels{name: "AVX-512", lanes: 16, sum: sumAVX512F32, scan: [2][2]scanKernel{
				{scanInclusiveAVX512F32, scanInclusivePastAVX512F32}, {scanExclusiveAVX512F32, scanExclusivePastAVX512F32}}})
		case float64:
			list = append(list, &vectorKernels{name: "AVX-512", lanes: 8, sum: sumAVX512F64, scan: [2][2]scanKernel{
				{scanInclusiveAVX512F64, scanInclusivePastAVX512F64}, {scanExclusiveAVX512F64, scanExclusivePastAVX512F64}}})
		case int32:
			list = append(list, &vectorKernels{name: "AVX-512", lanes: 16, sum: sumAVX512I32, scan: [2][2]scanKernel{
				{scanInclusiveAVX512I32, scanInclusivePastAVX512I32}, {scanExclusiveAVX512I32, scanExclusivePastAVX512I32}}})
		}
	}
	if cpu.X86.HasAVX2 {
		switch any(zero).(type) {
		case float32:
			list = append(list, &vectorKernels{name: "AVX2", lanes: 8, sum: sumAVX2F32, scan: [2][2]scanKernel{
				{scanInclusiveAVX2F32, scanInclusivePastAVX2F32}, {scanExclusiveAVX2F32, scanExclusivePastAVX2F32}}})
		case float64:
			list = append(list, &vectorKernels{name: "AVX2", lanes: 4, sum: sumAVX2F64, scan: [2][2]scanKernel{
				{scanInclusiveAVX2F64, scanInclusivePastAVX2F64}, {scanExclusiveAVX2F64, scanExclusivePastAVX2F64}}})
		case int32:
			list = append(list, &vectorKernels{name: "AVX2", lanes: 8, sum: sumAVX2I32, scan: [2][2]scanKernel{
				{scanInclusiveAVX2I32, scanInclusivePastAVX2I32}, {scanExclusiveAVX2I32, scanExclusivePastAVX2I32}}})
		}
	}
	return list
}

// fence completes all non-temporal stores before later ones, so that other
// workers see what this one wrote.
func fence()

//go:noescape
func scanInclusiveAVX512F32(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func scanInclusivePastAVX512F32(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func scanExclusiveAVX512F32(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func scanExclusivePastAVX512F32(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func sumAVX512F32(src unsafe.Pointer, vectors int, sums unsafe.Pointer)

//go:noescape
func scanInclusiveAVX512F64(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func scanInclusivePastAVX512F64(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func scanExclusiveAVX512F64(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func scanExclusivePastAVX512F64(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func sumAVX512F64(src unsafe.Pointer, vectors int, sums unsafe.Pointer)

//go:noescape
func scanInclusiveAVX512I32(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func scanInclusivePastAVX512I32(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func scanExclusiveAVX512I32(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func scanExclusivePastAVX512I32(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func sumAVX512I32(src unsafe.Pointer, vectors int, sums unsafe.Pointer)

//go:noescape
func scanInclusiveAVX2F32(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func scanInclusivePastAVX2F32(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func scanExclusiveAVX2F32(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func scanExclusivePastAVX2F32(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func sumAVX2F32(src unsafe.Pointer, vectors int, sums unsafe.Pointer)

//go:noescape
func scanInclusiveAVX2F64(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func scanInclusivePastAVX2F64(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func scanExclusiveAVX2F64(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func scanExclusivePastAVX2F64(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func sumAVX2F64(src unsafe.Pointer, vectors int, sums unsafe.Pointer)

//go:noescape
func scanInclusiveAVX2I32(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func scanInclusivePastAVX2I32(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func scanExclusiveAVX2I32(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func scanExclusivePastAVX2I32(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

//go:noescape
func sumAVX2I32(src unsafe.Pointer, vectors int, sums unsafe.Pointer)
