//go:build !amd64 && !arm64

package pattern

// vectorKernels: no vector code here.
func vectorKernels() []*vectorKernel { return nil }
