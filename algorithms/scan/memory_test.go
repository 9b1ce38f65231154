package scan

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
	f32 := framework.IntValues("batch_elements", 1<<21)
	f64 := framework.Values{"batch_elements": framework.IntValue(1 << 20), "N": framework.IntValue(1 << 20), "type": framework.TextValue("f64")}
	board.MemoryIsKnown(t, factory, slices.Concat(board.EveryVersion(t, factory, f32, false), board.EveryVersion(t, factory, f64, true)))
}
