//go:build !arm64

package tridiagonal

// kernelsFor has no vector code for this processor.
func kernelsFor[T real]() *vectorKernels { return nil }
