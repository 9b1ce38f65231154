package ptx

import (
	"math/bits"
	"strings"
)

// shuffle moves values between lanes ("shfl.sync").
func (w *Warp) shuffle(i *instruction, active uint32) {
	a, b, c := *w.operand(&i.src[0], 0), w.operand(&i.src[1], 1), w.operand(&i.src[2], 2)
	var out, in [WarpSize]uint64
	for lane := range WarpSize {
		n, clamp, segment := int(b[lane]&31), int(c[lane]&31), int(c[lane]>>8&31)
		last := lane&segment | clamp&^segment
		from, ok := lane, false
		switch i.mode {
		case "up":
			from = lane - n
			ok = from >= last
		case "down":
			from = lane + n
			ok = from <= last
		case "bfly":
			from = lane ^ n
			ok = from <= last
		case "idx":
			from = lane&segment | n&^segment
			ok = from <= last
		}
		if !ok {
			from = lane
		}
		out[lane], in[lane] = a[from], truth(ok)
	}
	w.set(&i.dst[0], active, func(lane int) uint64 { return out[lane] })
	if len(i.dst) > 1 {
		w.set(&i.dst[1], active, func(lane int) uint64 { return in[lane] })
	}
}

// vote combines a predicate of all lanes.
func (w *Warp) vote(i *instruction, active uint32) error {
	var set uint32
	for lane := range WarpSize {
		set |= uint32(w.value(&i.src[0], lane)&1) << lane
	}
	set &= active
	var out uint64
	switch i.mode {
	case "ballot":
		out = uint64(set)
	case "any":
		out = truth(set != 0)
	case "all":
		out = truth(set == active)
	case "uni":
		out = truth(set == 0 || set == active)
	default:
		return errUnknown
	}
	w.set(&i.dst[0], active, func(int) uint64 { return out })
	return nil
}

// match finds the lanes that have equal values.
func (w *Warp) match(i *instruction, active uint32) {
	a := *w.operand(&i.src[0], 0)
	if i.mode == "all" {
		lanes := uint64(active)
		for m := active; m != 0; m &= m - 1 {
			if a[bits.TrailingZeros32(m)] != a[bits.TrailingZeros32(active)] {
				lanes = 0
			}
		}
		for n := range i.dst {
			w.set(&i.dst[n], active, func(int) uint64 {
				if n == 1 {
					return truth(lanes != 0)
				}
				return lanes
			})
		}
		return
	}
	w.set(&i.dst[0], active, func(lane int) uint64 {
		var equal uint64
		for m := active; m != 0; m &= m - 1 {
			if n := bits.TrailingZeros32(m); a[n] == a[lane] {
				equal |= 1 << n
			}
		}
		return equal
	})
}

// reduce combines the values of all lanes ("redux.sync").
func (w *Warp) reduce(i *instruction, active uint32) error {
	op, typ, _ := strings.Cut(i.mode, ".")
	f, err := atomicOf(op, typ)
	if err != nil {
		return err
	}
	a := *w.operand(&i.src[0], 0)
	out, first := uint64(0), true
	for m := active; m != 0; m &= m - 1 {
		x := a[bits.TrailingZeros32(m)]
		if first {
			out, first = x, false
		} else {
			out = f(out, x, 0)
		}
	}
	w.set(&i.dst[0], active, func(int) uint64 { return out })
	return nil
}
