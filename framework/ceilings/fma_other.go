//go:build !amd64 && !arm64

package ceilings

func fmaKernels() (single, double []fmaKernel) {
	return []fmaKernel{portableFMA()}, []fmaKernel{portableFMA()}
}

func streamingCopy() func(dst, src []byte) { return nil }
