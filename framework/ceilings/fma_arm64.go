package ceilings

// In fma_arm64.s: 16 chains of 128-bit multiply-adds, x += a·a. out gets
// x.

//go:noescape
func fmaSingle128(iterations int64, a float32, out *float32)

//go:noescape
func fmaDouble128(iterations int64, a float64, out *float64)

func fmaKernels() (single, double []fmaKernel) {
	single = []fmaKernel{{16 * 4 * 2, func(n int64) (int, float64) {
		var x [16 * 4]float32
		fmaSingle128(n, 1, &x[0])
		return lanes(x[:])
	}}}
	double = []fmaKernel{{16 * 2 * 2, func(n int64) (int, float64) {
		var x [16 * 2]float64
		fmaDouble128(n, 1, &x[0])
		return lanes(x[:])
	}}}
	return single, double
}

// streamingCopy is nil: caches of arm64 see that a stream of stores writes
// whole lines and do not read them first.
func streamingCopy() func(dst, src []byte) { return nil }
