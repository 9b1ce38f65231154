package fft

import (
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
)

// TestMemoryIsKnownBefore: what points take is within 10 % of what is said before.
func TestMemoryIsKnownBefore(t *testing.T) {
	if !algorithmtest.InOwnProcess(t) {
		return
	}
	short, long := framework.IntValues("N", 1024, "batch_elements", 1<<21), framework.IntValues("N", 1<<18, "batch_elements", 1<<21)
	longer := framework.IntValues("N", 1<<18, "batch_elements", 1<<22)
	algorithmtest.NewBoard(t).MemoryIsKnown(t, Factory(), []algorithmtest.Point{
		{Version: "stockham", Processor: framework.GPU, Params: short},
		{Version: "stockham", Processor: framework.GPU, Params: short, Full: true},
		{Version: "stockham", Processor: framework.GPU, Params: longer},
		{Version: "stockham", Processor: framework.CPU, Params: short},
		{Version: "stockham", Processor: framework.CPU, Params: short, Full: true},
		{Version: "reference", Processor: framework.CPU, Params: long, Full: true},
		{Version: "fftw", Processor: framework.CPU, Params: short},
	})
}
