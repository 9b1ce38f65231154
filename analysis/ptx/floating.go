package ptx

import (
	"math"
	"slices"
	"strings"
)

func f32(x uint64) float64 { return float64(math.Float32frombits(uint32(x))) }

func bits32(x float64) uint64 { return uint64(math.Float32bits(float32(x))) }

// floating decodes arithmetic of float32 and float64. A multiply-add is rounded once in float64 and then
// to float32, so that at most the last bit differs from a GPU's.
func floating(i *instruction, name string, mods []string, t width) error {
	of, to := f32, bits32
	i.class = FP32
	if t.bits == 64 {
		of, to, i.class = math.Float64frombits, math.Float64bits, FP64
	}
	if t.bits != 32 && t.bits != 64 {
		return errUnknown
	}
	exact := !slices.Contains(mods, "approx") && !slices.Contains(mods, "full")
	flush := slices.Contains(mods, "ftz")
	one := func(f func(a float64) float64) { i.evaluate = func(a, _, _ uint64) uint64 { return to(f(of(a))) } }
	two := func(f func(a, b float64) float64) {
		i.evaluate = func(a, b, _ uint64) uint64 { return to(f(of(a), of(b))) }
	}
	special := func(f func(a float64) float64) {
		one(f)
		i.class, i.cost = SFU, 1
		if !flush && t.bits == 32 {
			i.composed(scaledSpecial)
		}
	}
	turned := func(f func(a float64) float64) {
		one(f)
		i.class = SFU
		i.composed(turnedSpecial)
	}
	switch name {
	case "add":
		two(func(a, b float64) float64 { return a + b })
	case "sub":
		two(func(a, b float64) float64 { return a - b })
	case "mul":
		two(func(a, b float64) float64 { return a * b })
	case "fma", "mad":
		if t.bits == 32 {
			i.evaluate = func(a, b, c uint64) uint64 { return bits32(f32(a)*f32(b) + f32(c)) }
		} else {
			i.evaluate = func(a, b, c uint64) uint64 {
				return to(math.FMA(of(a), of(b), of(c)))
			}
		}
	case "neg": // machine code has the sign with the operand that reads it, and this is no instruction
		sign := uint64(1) << (t.bits - 1)
		i.class = Free
		i.evaluate = func(a, _, _ uint64) uint64 { return a ^ sign }
	case "abs":
		sign := uint64(1) << (t.bits - 1)
		i.class = Free
		i.evaluate = func(a, _, _ uint64) uint64 { return a &^ sign }
	case "min":
		i.class = Integer
		two(leastOf)
	case "max":
		i.class = Integer
		two(mostOf)
	case "copysign":
		sign := uint64(1) << (t.bits - 1)
		i.evaluate = func(a, b, _ uint64) uint64 { return b&^sign | a&sign }
	case "selp":
		i.class = Integer
		i.evaluate = func(a, b, c uint64) uint64 {
			if c&1 != 0 {
				return a
			}
			return b
		}
	case "slct":
		i.class = Integer
		i.evaluate = func(a, b, c uint64) uint64 {
			if f32(c) >= 0 {
				return a
			}
			return b
		}
	case "div":
		two(func(a, b float64) float64 { return a / b })
		switch {
		case t.bits == 64:
			i.composed(doubleDivision)
		case exact:
			i.composed(floatDivision)
		default:
			i.class = SFU
			i.composed(scaledDivision)
			if flush {
				i.composed(plainDivision)
			}
		}
	case "rcp", "sqrt", "rsqrt":
		f := map[string]func(float64) float64{"rcp": func(a float64) float64 { return 1 / a }, "sqrt": math.Sqrt,
			"rsqrt": func(a float64) float64 { return 1 / math.Sqrt(a) }}[name]
		switch {
		case !exact && flush && t.bits == 64: // the upper half of the bits
			special(f)
		case !exact:
			special(f)
		default:
			one(f)
			i.composed(floatRoot)
			if t.bits == 64 {
				i.composed(doubleDivision)
			}
		}
	case "sin":
		turned(math.Sin)
	case "cos":
		turned(math.Cos)
	case "ex2":
		special(math.Exp2)
	case "lg2":
		special(math.Log2)
	case "tanh":
		one(math.Tanh)
		i.class = SFU
	default:
		return errUnknown
	}
	if f := i.evaluate; slices.Contains(mods, "sat") {
		i.evaluate = func(a, b, c uint64) uint64 {
			x := of(f(a, b, c))
			if !(x > 0) {
				x = 0
			}
			return to(math.Min(x, 1))
		}
	}
	return nil
}

// comparison decodes set and setp: the type, the comparison, and the operation that combines it with a
// predicate.
func comparison(i *instruction, name string, mods []string, typ string) error {
	if n, is := numbers[strings.TrimSuffix(typ, "x2")]; is && n.bits == 16 {
		return halfComparison(i, name, mods, typ, n)
	}
	t, ok := widthOf(typ)
	if !ok {
		return errUnknown
	}
	if name == "set" {
		if len(mods) < 3 {
			return errUnknown
		}
		return sets(i, mods, typ)
	}
	i.class = Integer
	var compare func(a, b uint64) bool
	if t.float {
		of := f32
		if t.bits == 64 {
			of, i.class = math.Float64frombits, FP64
		}
		var err error
		if compare, err = floatComparison(mods[0], of); err != nil {
			return err
		}
	} else {
		op := mods[0]
		if u, ok := map[string]string{"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}[op]; ok {
			op, t.signed = u, false
		}
		order, ok := orders[op]
		if !ok {
			return errUnknown
		}
		m := t.mask()
		compare = func(a, b uint64) bool { return order(t.less(a, b), a&m == b&m) }
		if t.bits == 64 {
			i.cost = 2
		}
	}
	join := func(p bool, c uint64) uint64 { return truth(p) }
	if len(mods) > 2 {
		switch {
		case slices.Contains(mods[1:], "and"):
			join = func(p bool, c uint64) uint64 { return truth(p) & c }
		case slices.Contains(mods[1:], "or"):
			join = func(p bool, c uint64) uint64 { return truth(p) | c }
		case slices.Contains(mods[1:], "xor"):
			join = func(p bool, c uint64) uint64 { return truth(p) ^ c }
		}
	}
	i.evaluate = func(a, b, c uint64) uint64 { return join(compare(a, b), c&1) }
	if i.pair {
		i.second = func(a, b, c uint64) uint64 { return join(!compare(a, b), c&1) }
	}
	return nil
}

// floatComparison returns the comparison of that name; of decodes the numbers.
func floatComparison(name string, of func(uint64) float64) (func(a, b uint64) bool, error) {
	op, unordered := strings.CutSuffix(name, "u")
	if op == "" || name == "nu" || name == "num" || name == "nan" {
		nan := name == "nan"
		return func(a, b uint64) bool { return (math.IsNaN(of(a)) || math.IsNaN(of(b))) == nan }, nil
	}
	order, ok := orders[op]
	if !ok {
		return nil, errUnknown
	}
	return func(a, b uint64) bool {
		x, y := of(a), of(b)
		if math.IsNaN(x) || math.IsNaN(y) {
			return unordered
		}
		return order(x < y, x == y)
	}, nil
}

// halfComparison decodes a comparison of 16-bit floats, single and in pairs. setp leaves a predicate for each,
// set leaves 1.0 or a word of ones where it holds.
func halfComparison(i *instruction, name string, mods []string, typ string, n number) error {
	i.class = FP16
	compare, err := floatComparison(mods[0], n.decode)
	if err != nil {
		return err
	}
	pairs := strings.HasSuffix(typ, "x2")
	low := func(x uint64) uint64 { return x & 0xffff }
	high := func(x uint64) uint64 { return x >> 16 & 0xffff }
	if name == "setp" {
		if len(mods) > 3 || len(mods) == 3 && mods[1] != "ftz" || pairs != i.pair {
			return errUnknown
		}
		i.evaluate = func(a, b, _ uint64) uint64 { return truth(compare(low(a), low(b))) }
		i.second = func(a, b, _ uint64) uint64 { return truth(compare(high(a), high(b))) }
		return nil
	}
	holds, to := uint64(0), ""
	if len(mods) > 1 {
		to = mods[len(mods)-2]
	}
	switch {
	case to == typ:
		holds = n.encode(1)
	case pairs && (to == "u32" || to == "s32"), !pairs && (to == "u16" || to == "s16"):
		holds = 0xffff
	case to == "u32" || to == "s32":
		holds = math.MaxUint32
	default:
		return errUnknown
	}
	i.evaluate = eachHalf(func(a, b, _ uint64) uint64 { return holds * truth(compare(a, b)) }, typ)
	return nil
}

// leastOf and mostOf return the other number where one is NaN.
func leastOf(a, b float64) float64 {
	switch {
	case math.IsNaN(a):
		return b
	case math.IsNaN(b):
		return a
	}
	return math.Min(a, b)
}

func mostOf(a, b float64) float64 { return -leastOf(-a, -b) }

// orders compute from "less" and "equal" whether a comparison holds.
var orders = map[string]func(less, equal bool) bool{
	"eq": func(_, equal bool) bool { return equal },
	"ne": func(_, equal bool) bool { return !equal },
	"lt": func(less, _ bool) bool { return less },
	"le": func(less, equal bool) bool { return less || equal },
	"gt": func(less, equal bool) bool { return !less && !equal },
	"ge": func(less, equal bool) bool { return !less },
}
