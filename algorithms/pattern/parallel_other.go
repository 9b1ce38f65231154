//go:build !amd64 && !arm64

package pattern

// vectorKernels returns nil: there is no vector code for this processor.
func vectorKernels() []*vectorKernel { return nil }
