package fft

import (
	"testing"

	"bench/cuda/sim/simtest"
	"bench/framework/algorithmtest"
)

// A spread of Verification: TestCPUVersions and the tests of the kernels go
// through all lengths.
func TestContract(t *testing.T) {
	algorithmtest.Suite{Factory: Factory(), Device: simtest.Open(t), CPU: 9, GPU: 4}.Run(t)
}
