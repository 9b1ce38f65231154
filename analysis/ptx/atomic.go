package ptx

import "math"

// atomicOf returns the function that computes what an atomic operation leaves in memory, from the old
// value, the operand, and for cas the value to be written.
func atomicOf(mode, typ string) (func(old, b, c uint64) uint64, error) {
	t, ok := widthOf(typ)
	if !ok {
		return nil, errUnknown
	}
	m := t.mask()
	if t.float {
		of, to := decoder(t)
		if mode != "add" {
			return nil, errUnknown
		}
		return func(old, b, _ uint64) uint64 { return to(of(old) + of(b)) }, nil
	}
	switch mode {
	case "add":
		return func(old, b, _ uint64) uint64 { return (old + b) & m }, nil
	case "exch":
		return func(_, b, _ uint64) uint64 { return b & m }, nil
	case "cas":
		return func(old, b, c uint64) uint64 {
			if old&m == b&m {
				return c & m
			}
			return old
		}, nil
	case "and":
		return func(old, b, _ uint64) uint64 { return old & b }, nil
	case "or":
		return func(old, b, _ uint64) uint64 { return (old | b) & m }, nil
	case "xor":
		return func(old, b, _ uint64) uint64 { return (old ^ b) & m }, nil
	case "min":
		return func(old, b, _ uint64) uint64 {
			if t.less(b, old) {
				return b & m
			}
			return old
		}, nil
	case "max":
		return func(old, b, _ uint64) uint64 {
			if t.less(old, b) {
				return b & m
			}
			return old
		}, nil
	case "inc":
		return func(old, b, _ uint64) uint64 {
			if old >= b&math.MaxUint32 {
				return 0
			}
			return old + 1
		}, nil
	case "dec":
		return func(old, b, _ uint64) uint64 {
			if old == 0 || old > b&math.MaxUint32 {
				return b & m
			}
			return old - 1
		}, nil
	}
	return nil, errUnknown
}
