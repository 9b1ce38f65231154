package fft

import (
	"testing"

	"example.org/bench/framework/algorithmtest"
	"example.org/bench/gpu/cuda/sim/simtest"
)

// The tests of the kernels go through all lengths.
func TestContract(t *testing.T) {
	algorithmtest.Suite{Factory: Factory(), CPU: 8, GPU: 3}.Run(t)
}

// The suite's problems are too small for the fast check.
func TestFastCheckOfADevice(t *testing.T) {
	d := simtest.Open(t)
	for _, precision := range []string{"f32", "f64"} {
		algorithmtest.Solve(t, Factory(), d, "stockham", setting(64, sampleElements/64+2, precision, "forward"), nil)
	}
}
