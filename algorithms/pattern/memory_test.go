package pattern

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
	factory, board := Factory(), algorithmtest.NewBoard(t)
	params := framework.IntValues("K", 1<<14, "G", 8)
	board.MemoryIsKnown(t, factory, board.EveryVersion(t, factory, params, false))
}
