package ceilings

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// In fma_amd64.s: 12 chains of 256-bit or 16 chains of 512-bit
// multiply-adds, x += a·a. Two units of latency 4 need 8 chains. out gets x.

//go:noescape
func fmaSingle256(iterations int64, a float32, out *float32)

//go:noescape
func fmaDouble256(iterations int64, a float64, out *float64)

//go:noescape
func fmaSingle512(iterations int64, a float32, out *float32)

//go:noescape
func fmaDouble512(iterations int64, a float64, out *float64)

// copyStreaming copies with non-temporal stores. bytes is a multiple of 256,
// dst of 32.
//
//go:noescape
func copyStreaming(dst, src unsafe.Pointer, bytes int)

// fmaKernels returns the kernels that this CPU runs. Which width is faster differs: some CPUs lower their
// clock for 512 bits.
func fmaKernels() (single, double []fmaKernel) {
	if !cpu.X86.HasFMA || !cpu.X86.HasAVX2 {
		return []fmaKernel{portableFMA()}, []fmaKernel{portableFMA()}
	}
	single = []fmaKernel{{12 * 8 * 2, func(n int64) (int, float64) {
		var x [12 * 8]float32
		fmaSingle256(n, 1, &x[0])
		return lanes(x[:])
	}}}
	double = []fmaKernel{{12 * 4 * 2, func(n int64) (int, float64) {
		var x [12 * 4]float64
		fmaDouble256(n, 1, &x[0])
		return lanes(x[:])
	}}}
	if cpu.X86.HasAVX512F {
		single = append(single, fmaKernel{16 * 16 * 2, func(n int64) (int, float64) {
			var x [16 * 16]float32
			fmaSingle512(n, 1, &x[0])
			return lanes(x[:])
		}})
		double = append(double, fmaKernel{16 * 8 * 2, func(n int64) (int, float64) {
			var x [16 * 8]float64
			fmaDouble512(n, 1, &x[0])
			return lanes(x[:])
		}})
	}
	return single, double
}

func streamingCopy() func(dst, src []byte) {
	if !cpu.X86.HasAVX2 {
		return nil
	}
	return func(dst, src []byte) { copyStreaming(start(dst), start(src), len(src)) }
}
