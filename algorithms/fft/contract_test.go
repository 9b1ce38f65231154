package fft

import (
	"testing"

	"bench/framework/algorithmtest"
)

// The tests of the kernels go through all lengths.
func TestContract(t *testing.T) {
	algorithmtest.Suite{Factory: Factory(), CPU: 15, GPU: 3}.Run(t)
}
