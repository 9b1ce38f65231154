package pattern

import "golang.org/x/sys/cpu"

// vectorKernels lists the vector code that this processor runs, the best
// first.
func vectorKernels() []*vectorKernel {
	var list []*vectorKernel
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ {
		list = append(list, &vectorKernel{name: "AVX-512", lanes: 16, together: 8 * 16, shift: shiftAVX512, gain: gainAVX512})
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		list = append(list, &vectorKernel{name: "AVX2", lanes: 8, together: 8 * 8, shift: shiftAVX2, gain: gainAVX2})
	}
	return list
}

//go:noescape
func shiftAVX512(sums, template, pairs *float32, n, shifts int) int

//go:noescape
func gainAVX512(sums, template, signal, weights, gains *float32, n, count int) (gain int, squared float32)

//go:noescape
func shiftAVX2(sums, template, pairs *float32, n, shifts int) int

//go:noescape
func gainAVX2(sums, template, signal, weights, gains *float32, n, count int) (gain int, squared float32)
