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

// The first-level cache looks up a line of each of four sets, and moves four sectors, in a cycle.
func TestQuartersOfACycle(t *testing.T) {
	apart := func(n int, by uint64) (list []uint64) {
		for k := range uint64(n) {
			list = append(list, 1000+k*by)
		}
		return list
	}
	for name, c := range map[string]struct {
		sectors []uint64
		want    int
	}{
		"a line": {apart(4, 1), 4}, "a sector": {apart(1, 1), 4}, "not aligned": {[]uint64{1003, 1004, 1005, 1006, 1007}, 5}, "four lines": {apart(16, 1), 16},
		"every fourth sector": {apart(32, 4), 32}, "of one set": {apart(32, 16), 128}, "of two sets": {apart(32, 8), 64},
	} {
		if got := quarters(c.sectors); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
