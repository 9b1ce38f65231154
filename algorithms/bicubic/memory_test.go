package bicubic

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
	params := framework.IntValues("rows", 128)
	staged := algorithmtest.Point{Version: "v4", Processor: framework.GPU, Params: params, Tunables: framework.IntValues("STAGED", 1)}
	board.MemoryIsKnown(t, factory, slices.Concat(board.EveryVersion(t, factory, params, false), []algorithmtest.Point{staged}))
}
