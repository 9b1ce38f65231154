//go:build !amd64

package scan

// kernelsFor has no vector code for this processor.
func kernelsFor[T element]() []*vectorKernels { return nil }

// fence: there are no stores past the caches.
func fence() {}
