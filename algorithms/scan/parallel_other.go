//go:build !amd64 && !arm64

package scan

// kernelsFor returns nil: there is no vector code for this processor.
func kernelsFor[T element]() []*vectorKernels { return nil }

// fence does nothing: there are no non-temporal stores.
func fence() {}
