package ptx

import (
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// width is a type's size in bits, and whether it is signed or a float.
type width struct {
	bits          int
	signed, float bool
}

func widthOf(typ string) (width, bool) {
	if len(typ) < 2 {
		return width{}, false
	}
	n, err := strconv.Atoi(typ[1:])
	if err != nil || !strings.ContainsRune("bsuf", rune(typ[0])) || n != 8 && n != 16 && n != 32 && n != 64 {
		return width{}, false
	}
	return width{n, typ[0] == 's', typ[0] == 'f'}, true
}

func (t width) mask() uint64 { return ^uint64(0) >> (64 - t.bits) }

// extend extends a value to 64 bits, by its sign where the type has one.
func (t width) extend(a uint64) uint64 {
	if t.signed {
		return uint64(int64(a<<(64-t.bits)) >> (64 - t.bits))
	}
	return a & t.mask()
}

// costMultiply64 is roughly the number of instructions that a 64-bit product becomes in the machine code
// of recent GPUs (counted in the output of NVRTC 11.8 and 13.0).
const costMultiply64 = 4

// The instructions that divisions and roots become, by class, counted in the machine code for 7.0 and 8.0
// by NVRTC 11.2, and for floats by 11.8 and 13.0. A float's division or root is a reciprocal or root,
// followed by multiplications and comparisons that make it exact. Divisions of 64-bit integers call a
// function.
var (
	unsignedDivision = []Part{{Integer, 8}, {Multiply, 7}, {Convert, 2}, {SFU, 1}}
	signedDivision   = []Part{{Integer, 10}, {Multiply, 8}, {Convert, 2}, {SFU, 1}}
	longDivision     = []Part{{Integer, 38}, {Multiply, 36}, {Convert, 2}, {SFU, 1}}
	floatDivision    = []Part{{FP32, 5}, {SFU, 2}, {Control, 3}} // FCHK goes where special functions go
	floatRoot        = []Part{{FP32, 7}, {SFU, 1}}
	doubleDivision   = []Part{{FP64, 19}, {SFU, 1}} // and roots

	// Those of approximate float functions, with what scales denormals into the unit's range and back, or an
	// angle to turns.
	scaledSpecial  = []Part{{Integer, 1}, {FP32, 2}, {SFU, 1}}
	scaledDivision = []Part{{Integer, 1}, {FP32, 3}, {SFU, 1}}
	turnedSpecial  = []Part{{FP32, 1}, {SFU, 1}}
	plainDivision  = []Part{{FP32, 1}, {SFU, 1}}
)

// composed sets the instructions that i becomes.
func (i *instruction) composed(parts []Part) {
	i.parts, i.cost = parts, 0
	for _, p := range parts {
		i.cost += p.Count
	}
}

// arithmetic decodes an instruction that computes a value from at most three others.
func arithmetic(i *instruction, name string, mods []string, typ string) error {
	t, ok := widthOf(typ)
	if name == "dp4a" || name == "dp2a" {
		return dots(i, name, mods)
	}
	if name == "setp" || name == "set" {
		return comparison(i, name, mods, typ)
	}
	if name == "cvt" {
		return conversion(i, mods)
	}
	if typ == "pred" {
		return predicate(i, name)
	}
	if typ == "f16" || typ == "f16x2" || typ == "bf16" || typ == "bf16x2" {
		return half(i, name, typ)
	}
	if typ == "u16x2" || typ == "s16x2" {
		return bytewise(i, "v"+name+"2", append(slices.Clone(mods), typ[:3]), nil)
	}
	if !ok {
		return errUnknown
	}
	if t.float {
		return floating(i, name, mods, t)
	}
	i.class = Integer
	if t.bits == 64 {
		i.cost = 2
	}
	m, f := t.mask(), (func(a, b, c uint64) uint64)(nil)
	switch name {
	case "add":
		f = func(a, b, _ uint64) uint64 { return (a + b) & m }
	case "sub":
		f = func(a, b, _ uint64) uint64 { return (a - b) & m }
	case "neg":
		f = func(a, _, _ uint64) uint64 { return -a & m }
	case "abs":
		f = func(a, _, _ uint64) uint64 {
			if x := int64(t.extend(a)); x < 0 {
				return uint64(-x) & m
			}
			return a & m
		}
	case "mul", "mad":
		return multiply(i, name, mods, t)
	case "mul24", "mad24":
		return product24(i, name, mods, t)
	case "div", "rem":
		switch i.parts = unsignedDivision; {
		case t.bits == 64:
			i.parts = longDivision
		case t.signed:
			i.parts = signedDivision
		}
		i.composed(i.parts)
		f = divide(name == "rem", t)
	case "min":
		f = func(a, b, _ uint64) uint64 {
			if t.less(a, b) {
				return a & m
			}
			return b & m
		}
	case "max":
		f = func(a, b, _ uint64) uint64 {
			if t.less(a, b) {
				return b & m
			}
			return a & m
		}
	case "and":
		f = func(a, b, _ uint64) uint64 { return a & b & m }
	case "or":
		f = func(a, b, _ uint64) uint64 { return (a | b) & m }
	case "xor":
		f = func(a, b, _ uint64) uint64 { return (a ^ b) & m }
	case "not":
		f = func(a, _, _ uint64) uint64 { return ^a & m }
	case "cnot":
		f = func(a, _, _ uint64) uint64 { return truth(a&m == 0) }
	case "shl":
		f = func(a, b, _ uint64) uint64 { return a << min(b&math.MaxUint32, 64) & m }
	case "shr":
		f = func(a, b, _ uint64) uint64 {
			if t.signed {
				return uint64(int64(t.extend(a))>>min(b&math.MaxUint32, 63)) & m
			}
			return (a & m) >> min(b&math.MaxUint32, 64)
		}
	case "shf":
		left, wrap := slices.Contains(mods, "l"), slices.Contains(mods, "wrap")
		f = func(a, b, c uint64) uint64 {
			n := c & math.MaxUint32
			if wrap {
				n &= 31
			} else {
				n = min(n, 32)
			}
			x := b<<32 | a&math.MaxUint32
			if left {
				return x << n >> 32 & m
			}
			return x >> n & m
		}
	case "selp":
		f = func(a, b, c uint64) uint64 {
			if c&1 != 0 {
				return a & m
			}
			return b & m
		}
	case "slct":
		f = func(a, b, c uint64) uint64 {
			if int32(c) >= 0 {
				return a & m
			}
			return b & m
		}
	case "popc":
		i.class = Convert
		f = func(a, _, _ uint64) uint64 { return uint64(bits.OnesCount64(a & m)) }
	case "clz":
		f = func(a, _, _ uint64) uint64 { return uint64(bits.LeadingZeros64(a&m) - (64 - t.bits)) }
	case "brev":
		f = func(a, _, _ uint64) uint64 { return bits.Reverse64(a&m) >> (64 - t.bits) }
	case "bfind":
		shift := slices.Contains(mods, "shiftamt")
		f = func(a, _, _ uint64) uint64 {
			x := t.extend(a)
			if t.signed && int64(x) < 0 {
				x = ^x
			}
			n := bits.Len64(x&m) - 1
			if shift && n >= 0 {
				n = t.bits - 1 - n
			}
			return uint64(uint32(int32(n)))
		}
	case "bfe":
		f = func(a, b, c uint64) uint64 { return extract(t, a, b&255, c&255) }
	case "bfi":
		return insert(i, t)
	case "prmt":
		if len(mods) > 1 {
			return errUnknown
		}
		f = permute
	case "sad":
		f = func(a, b, c uint64) uint64 {
			if t.less(a, b) {
				return (b - a + c) & m
			}
			return (a - b + c) & m
		}
	default:
		return errUnknown
	}
	i.evaluate = f
	return nil
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (t width) less(a, b uint64) bool {
	if t.signed {
		return int64(t.extend(a)) < int64(t.extend(b))
	}
	return a&t.mask() < b&t.mask()
}

func divide(rest bool, t width) func(a, b, _ uint64) uint64 {
	m := t.mask()
	return func(a, b, _ uint64) uint64 {
		a, b = t.extend(a), t.extend(b)
		if b == 0 {
			if rest {
				return a & m
			}
			return m
		}
		switch {
		case t.signed && rest:
			return uint64(int64(a)%int64(b)) & m
		case t.signed:
			return uint64(int64(a)/int64(b)) & m
		case rest:
			return a % b & m
		}
		return a / b & m
	}
}

func multiply(i *instruction, name string, mods []string, t width) error {
	i.class, i.cost = Multiply, 1
	add := name == "mad"
	m := t.mask()
	plus := func(f func(a, b uint64) uint64, m uint64) func(a, b, c uint64) uint64 {
		if add {
			return func(a, b, c uint64) uint64 { return (f(a, b) + c) & m }
		}
		return func(a, b, _ uint64) uint64 { return f(a, b) & m }
	}
	if t.bits == 64 {
		i.cost = costMultiply64
	}
	switch {
	case slices.Contains(mods, "wide") && t.bits == 64:
		return errUnknown
	case slices.Contains(mods, "wide"):
		out := ^uint64(0) >> (64 - 2*t.bits)
		i.evaluate = plus(func(a, b uint64) uint64 { return t.extend(a) * t.extend(b) }, out)
	case slices.Contains(mods, "hi") && t.bits == 64:
		i.evaluate = plus(func(a, b uint64) uint64 {
			hi, _ := bits.Mul64(a, b)
			if t.signed {
				if int64(a) < 0 {
					hi -= b
				}
				if int64(b) < 0 {
					hi -= a
				}
			}
			return hi
		}, m)
	case slices.Contains(mods, "hi"):
		i.evaluate = plus(func(a, b uint64) uint64 { return uint64(int64(t.extend(a)*t.extend(b))>>t.bits) & m }, m)
	default:
		i.evaluate = plus(func(a, b uint64) uint64 { return a * b }, m)
	}
	return nil
}

func extract(t width, a, from, n uint64) uint64 {
	if n == 0 {
		return 0
	}
	top := min(from+n-1, uint64(t.bits-1))
	var x uint64
	if from < 64 {
		x = (a & t.mask()) >> from
		if n < 64 {
			x &= 1<<n - 1
		}
	}
	if t.signed && a>>top&1 != 0 && n < 64 {
		x |= ^uint64(0) << n
	}
	return x & t.mask()
}

// insert decodes an instruction of four operands: the field, the value it is inserted into, its position
// and its length.
func insert(i *instruction, t width) error {
	i.unordinary = func(w *Warp, lane int, i *instruction) uint64 {
		a, b := w.value(&i.src[0], lane), w.value(&i.src[1], lane)
		at, n := w.value(&i.src[2], lane)&255, w.value(&i.src[3], lane)&255
		var field uint64
		if at < 64 {
			field = ^uint64(0)
			if n < 64 {
				field = 1<<n - 1
			}
			field <<= at
			a <<= at
		}
		return (b&^field | a&field) & t.mask()
	}
	return nil
}

func permute(a, b, c uint64) uint64 {
	x := b<<32 | a&math.MaxUint32
	var out uint64
	for n := range 4 {
		s := c >> (4 * n) & 15
		v := x >> (8 * (s & 7)) & 255
		if s&8 != 0 {
			v = uint64(uint8(int8(v) >> 7))
		}
		out |= v << (8 * n)
	}
	return out
}

func predicate(i *instruction, name string) error {
	i.class, i.cost = Integer, 1
	switch name {
	case "and":
		i.evaluate = func(a, b, _ uint64) uint64 { return a & b & 1 }
	case "or":
		i.evaluate = func(a, b, _ uint64) uint64 { return (a | b) & 1 }
	case "xor":
		i.evaluate = func(a, b, _ uint64) uint64 { return (a ^ b) & 1 }
	case "not":
		i.evaluate = func(a, _, _ uint64) uint64 { return ^a & 1 }
	case "selp":
		i.evaluate = func(a, b, c uint64) uint64 {
			if c&1 != 0 {
				return a & 1
			}
			return b & 1
		}
	default:
		return errUnknown
	}
	return nil
}
