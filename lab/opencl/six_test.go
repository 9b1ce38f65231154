package opencl

import (
	"slices"
	"testing"

	"bench/algorithms"
	"bench/framework/algorithmtest"
)

// Each version of the six algorithms that runs on OpenCL keeps the framework's contract there: right answers to spread problems of
// Verification and to all kinds of inputs, counts, memory, refusals.
func TestContractOfTheSix(t *testing.T) {
	d := open(t)
	for _, f := range algorithms.All() {
		t.Run(f.Name, func(t *testing.T) {
			algorithmtest.Suite{Factory: f}.RunOn(t, d)
		})
	}
	if !slices.Contains(d.Facts().OpenCL.Extensions, "cl_khr_fp64") {
		t.Error("PoCL has no double precision here: nothing of float64 was tried")
	}
}
