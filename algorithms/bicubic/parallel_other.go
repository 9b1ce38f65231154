//go:build !amd64 && !arm64

package bicubic

// combiners lists the vector code that this processor runs: none.
func combiners() []*combiner { return nil }
