package tridiagonal

import (
	"slices"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/gpu"
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

// TestLocalMemory: as many of a work-group's arrays lie in local memory as leave some of a device's.
func TestLocalMemory(t *testing.T) {
	facts := gpu.Facts{SharedPerBlock: 48 << 10}
	for _, c := range []struct{ equations, threads, buffers int }{{8, 128, 3}, {16, 128, 3}, {8, 256, 3}, {16, 256, 2}, {16, 384, 1}, {16, 512, 1}} {
		s := shape{method: methods[0], n: c.equations * c.threads, P: c.equations, L: c.threads}
		if got := s.buffers(facts); got != c.buffers {
			t.Errorf("%d equations of %d work-items, %d bytes of %d an array: %d buffers, want %d", c.equations, c.threads, s.localBytes(1), facts.SharedPerBlock, got, c.buffers)
		}
	}
}
