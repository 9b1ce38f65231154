package trace

import (
	"testing"

	"example.org/bench/analysis/ptx"
)

// Wide accesses take as few passes as no bank has to give two words in.
func TestPassesOfSharedMemory(t *testing.T) {
	for _, c := range []struct{ bytes, stride, want int }{
		{4, 4, 1}, {4, 8, 2}, {4, 128, 32}, {4, 0, 1},
		{8, 8, 2}, {8, 0, 1}, {8, 16, 4}, {8, 256, 32},
		{16, 16, 4}, {16, 0, 2}, {16, 32, 8},
	} {
		e := &ptx.Event{Active: ^uint32(0), Addresses: &[ptx.WarpSize]uint64{}, Bytes: c.bytes}
		for lane := range e.Addresses {
			e.Addresses[lane] = uint64(lane * c.stride)
		}
		if got := (&recorder{}).passes(e); got != c.want {
			t.Errorf("%d bytes each, %d apart: %d passes, want %d", c.bytes, c.stride, got, c.want)
		}
	}
}
