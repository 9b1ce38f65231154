package tridiagonal

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
	many := framework.IntValues("batch_elements", 1<<19)
	one := framework.IntValues("batch_elements", 1<<19, "N", 1<<19)
	interleaved := framework.Values{"batch_elements": framework.IntValue(1 << 19), "layout": framework.TextValue(interleaved), "precision": framework.TextValue("f64")}
	pivoting := framework.Values{"batch_elements": framework.IntValue(1 << 18), "dominance": framework.FloatValue(0.5)}
	onHost := algorithmtest.Point{Version: "partition", Processor: framework.GPU, Params: one, Tunables: framework.IntValues("STAGE2", 0)}
	board.MemoryIsKnown(t, factory, append(slices.Concat(
		board.EveryVersion(t, factory, many, false), board.EveryVersion(t, factory, one, false), board.EveryVersion(t, factory, interleaved, true),
		board.EveryVersion(t, factory, pivoting, false)[:2]), onHost))
}
