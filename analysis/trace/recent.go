package trace

import (
	"math/bits"

	"example.org/bench/analysis/ptx"
)

// recent are a warp's last accesses to global memory, as far as registers would hold them.
type recent struct {
	list [16]uint64
	next int
}

// holds tells whether the lanes accessed the same recently, and remembers what they access.
func (x *recent) holds(e *ptx.Event, at *[ptx.WarpSize]uint64) bool {
	key := uint64(e.Active)<<8 | uint64(e.Bytes)
	for m := e.Active; m != 0; m &= m - 1 {
		key = (key ^ at[bits.TrailingZeros32(m)]) * 0x9e3779b97f4a7c15
		key ^= key >> 29
	}
	for _, k := range x.list {
		if k == key {
			return true
		}
	}
	x.list[x.next%len(x.list)] = key
	x.next++
	return false
}
