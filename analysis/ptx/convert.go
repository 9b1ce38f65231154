package ptx

import (
	"math"
	"slices"
	"strings"
)

// conversion decodes cvt, whose result type is the last modifier but one.
func conversion(i *instruction, mods []string) error {
	if len(mods) < 2 {
		return errUnknown
	}
	to, from := mods[len(mods)-2], mods[len(mods)-1]
	t, ok := widthOf(to)
	s, ok2 := widthOf(from)
	if !ok || !ok2 {
		return errUnknown
	}
	saturate := slices.Contains(mods, "sat")
	round := math.RoundToEven
	for mode, f := range map[string]func(float64) float64{"rzi": math.Trunc, "rmi": math.Floor, "rpi": math.Ceil} {
		if slices.Contains(mods, mode) {
			round = f
		}
	}
	integral := slices.ContainsFunc(mods, func(m string) bool { return len(m) == 3 && strings.HasPrefix(m, "r") && m[2] == 'i' })
	i.class = Convert
	switch {
	case !t.float && !s.float:
		if i.class = Integer; t.bits == 64 && !s.signed || t.bits < s.bits && t.bits >= 32 {
			i.class = Free // adds or drops a register
		}
		low, high := 0.0, 0.0
		if saturate {
			low, high = limits(t)
		}
		i.evaluate = func(a, _, _ uint64) uint64 {
			x := s.extend(a)
			if saturate {
				v := float64(x)
				if s.signed {
					v = float64(int64(x))
				}
				return whole(math.Max(low, math.Min(high, v)), t)
			}
			return x & t.mask()
		}
	case !t.float:
		of, _ := decoder(s)
		least, most := limits(t)
		i.evaluate = func(a, _, _ uint64) uint64 {
			x := round(of(a))
			if math.IsNaN(x) {
				return 0
			}
			return whole(math.Max(least, math.Min(most, x)), t)
		}
	case !s.float:
		_, as := decoder(t)
		i.evaluate = func(a, _, _ uint64) uint64 {
			x := s.extend(a)
			if s.signed {
				return as(float64(int64(x)))
			}
			return as(float64(x))
		}
	default:
		of, _ := decoder(s)
		_, as := decoder(t)
		if t == s {
			i.class = FP32
		}
		i.evaluate = func(a, _, _ uint64) uint64 {
			x := of(a)
			if integral {
				x = round(x)
			}
			if saturate {
				if !(x > 0) {
					x = 0
				}
				x = math.Min(x, 1)
			}
			return as(x)
		}
	}
	if i.class == Convert && (t.bits == 64 || s.bits == 64) {
		i.cost = 4 // a quarter of the rate ("CUDA C++ Programming Guide", throughput of arithmetic instructions)
	}
	return nil
}

// limits returns the least and the largest value of an integer type.
func limits(t width) (low, high float64) {
	if t.signed {
		return -math.Ldexp(1, t.bits-1), math.Ldexp(1, t.bits-1) - 1
	}
	return 0, math.Ldexp(1, t.bits) - 1
}

// whole returns an integral value, clamped to a type's limits, as bits.
func whole(x float64, t width) uint64 {
	switch {
	case t.signed && x >= math.Ldexp(1, 63):
		return math.MaxInt64
	case t.signed:
		return uint64(int64(x)) & t.mask()
	case x >= math.Ldexp(1, 64):
		return t.mask()
	}
	return uint64(x) & t.mask()
}

// decoder returns the functions that read and write a float of that width.
func decoder(t width) (func(uint64) float64, func(float64) uint64) {
	switch t.bits {
	case 64:
		return math.Float64frombits, math.Float64bits
	case 16:
		return f16, bits16
	}
	return f32, bits32
}

// f16 converts from IEEE 754's binary16.
func f16(x uint64) float64 {
	sign, exponent, fraction := 1.0, int(x>>10&31), float64(x&1023)
	if x&0x8000 != 0 {
		sign = -1
	}
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		if fraction != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(fraction+1024, exponent-25)
}

func bits16(x float64) uint64 {
	sign := math.Float64bits(x) >> 48 & 0x8000
	switch {
	case math.IsNaN(x):
		return 0x7fff
	case math.IsInf(x, 0):
		return sign | 0x7c00
	case x == 0:
		return sign
	}
	exponent := max(math.Ilogb(x), -14)
	units := uint64(math.RoundToEven(math.Ldexp(math.Abs(x), 10-exponent)))
	return sign | min(units+uint64(exponent+14)<<10, 0x7c00)
}

// bf16 converts from the upper half of a float32.
func bf16(x uint64) float64 { return f32(x << 16) }

func bitsBF16(x float64) uint64 {
	if math.IsNaN(x) {
		return 0x7fff
	}
	u := bits32(x)
	return (u + 0x7fff + u>>16&1) >> 16 & 0xffff
}

// half decodes arithmetic of float16 and bfloat16, single and in pairs.
func half(i *instruction, name string, typ string) error {
	i.class = FP16
	n := numbers[strings.TrimSuffix(typ, "x2")]
	two := func(f func(a, b float64) float64) func(a, b, c uint64) uint64 {
		return func(a, b, _ uint64) uint64 { return n.encode(f(n.decode(a), n.decode(b))) }
	}
	var f func(a, b, c uint64) uint64
	switch name {
	case "add":
		f = two(func(a, b float64) float64 { return a + b })
	case "sub":
		f = two(func(a, b float64) float64 { return a - b })
	case "mul":
		f = two(func(a, b float64) float64 { return a * b })
	case "min":
		f = two(leastOf)
	case "max":
		f = two(mostOf)
	case "fma":
		f = func(a, b, c uint64) uint64 { return n.encode(n.decode(a)*n.decode(b) + n.decode(c)) }
	case "neg":
		f = func(a, _, _ uint64) uint64 { return a ^ 0x8000 }
	case "abs":
		f = func(a, _, _ uint64) uint64 { return a &^ 0x8000 }
	default:
		return errUnknown
	}
	i.evaluate = eachHalf(f, typ)
	return nil
}

// eachHalf returns f of a value of 16 bits, or of both of a pair.
func eachHalf(f func(a, b, c uint64) uint64, typ string) func(a, b, c uint64) uint64 {
	if strings.HasSuffix(typ, "x2") {
		return func(a, b, c uint64) uint64 {
			return f(a&0xffff, b&0xffff, c&0xffff) | f(a>>16&0xffff, b>>16&0xffff, c>>16&0xffff)<<16
		}
	}
	return func(a, b, c uint64) uint64 { return f(a&0xffff, b&0xffff, c&0xffff) }
}
