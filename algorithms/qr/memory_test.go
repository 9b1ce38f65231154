package qr

import (
	"slices"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
)

// TestMemoryIsKnownBefore: what points take is within 10 % of what is said before.
func TestMemoryIsKnownBefore(t *testing.T) {
	if !algorithmtest.InOwnProcess(t) {
		return
	}
	factory, board := Factory(), algorithmtest.NewBoard(t)
	small := framework.IntValues("m", 64, "n", 64, "batch", 400)
	large := framework.IntValues("m", 2048, "n", 256)
	board.MemoryIsKnown(t, factory, slices.Concat(board.EveryVersion(t, factory, small, false), []algorithmtest.Point{
		{Version: "reference", Processor: framework.CPU, Params: small, Full: true}, {Version: "v8", Processor: framework.GPU, Params: small, Full: true},
		{Version: "reference", Processor: framework.CPU, Params: large}, {Version: "parallel", Processor: framework.CPU, Params: large},
		{Version: "gonum", Processor: framework.CPU, Params: large}, {Version: "tiles", Processor: framework.GPU, Params: large},
	}))
}
