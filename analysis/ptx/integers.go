package ptx

import (
	"math"
	"math/bits"
	"slices"
	"strings"
)

// carries decodes sums with a carry in or out, which is kept in a register of its own, as PTX has it.
func (b *body) carries(i *instruction, name string, mods []string, operands []operand) error {
	t, ok := widthOf(mods[len(mods)-1])
	if !ok || t.float || len(operands) < 3 {
		return errUnknown
	}
	if len(b.scopes) == 0 {
		return errUnknown
	}
	const carry = "%carry"
	reg, ok := b.scopes[0][carry]
	if !ok {
		b.open()
		b.register(carry, ".b32")
		reg = b.scopes[len(b.scopes)-1][carry]
		b.scopes = b.scopes[:len(b.scopes)-1]
		b.scopes[0][carry] = reg
	}
	flag := operand{kind: register, reg: reg}
	m, out := t.mask(), slices.Contains(mods, "cc")
	i.class, i.cost = Integer, 1
	if t.bits == 64 {
		i.cost = 2
	}
	if strings.HasPrefix(name, "mad") { // a product first
		product := instruction{text: i.text, line: i.line, guard: i.guard, unless: i.unless, target: -1, reconverge: -1, cost: 1}
		if err := multiply(&product, "mul", slices.DeleteFunc(slices.Clone(mods), func(m string) bool { return m == "cc" }), t); err != nil || len(operands) < 4 {
			return errUnknown
		}
		b.register("%product", ".b64")
		r := operand{kind: register, reg: int32(len(b.k.names) - 1)}
		product.dst, product.src = []operand{r}, operands[1:3]
		b.k.code = append(b.k.code, product)
		operands = []operand{operands[0], r, operands[3]}
		name = map[string]string{"mad": "add", "madc": "addc"}[name]
	}
	i.dst, i.src = operands[:1], slices.Clone(operands[1:3])
	if strings.HasSuffix(name, "c") {
		i.src = append(i.src, flag)
	}
	sum := func(a, b, c uint64) (uint64, uint64) {
		s, over := bits.Add64(a&m, b&m, c&1)
		return s & m, over | s>>1>>(t.bits-1)&1
	}
	if strings.HasPrefix(name, "sub") { // the flag is a borrow
		sum = func(a, b, c uint64) (uint64, uint64) {
			d, under := bits.Sub64(a&m, b&m, c&1)
			return d & m, under
		}
	}
	i.evaluate = func(a, b, c uint64) uint64 { s, _ := sum(a, b, c); return s }
	if out {
		i.dst = append(slices.Clone(i.dst), flag)
		i.pair, i.second = true, func(a, b, c uint64) uint64 { _, over := sum(a, b, c); return over }
	}
	return nil
}

// carrying tells whether an instruction takes or leaves a carry.
func carrying(name string, mods []string) bool {
	switch name {
	case "addc", "subc", "madc":
		return len(mods) > 0
	case "add", "sub", "mad":
		return slices.Contains(mods, "cc")
	}
	return false
}

// dots decodes sums of products of bytes, four each (dp4a), or of two 16-bit numbers by two bytes (dp2a).
func dots(i *instruction, name string, mods []string) error {
	if len(mods) < 2 {
		return errUnknown
	}
	signed := func(typ string) bool { return typ[0] == 's' }
	x, y := mods[len(mods)-2], mods[len(mods)-1]
	part := func(w uint64, n, size int, sign bool) int64 {
		p := int64(w >> (n * size) & (1<<size - 1))
		if sign {
			p = p << (64 - size) >> (64 - size)
		}
		return p
	}
	n, size, from := 4, 8, 0
	if name == "dp2a" {
		n, size = 2, 16
		if mods[0] == "hi" {
			from = 2
		}
	}
	i.class = Multiply
	i.evaluate = func(a, b, c uint64) uint64 {
		sum := int64(c)
		for k := range n {
			sum += part(a, k, size, signed(x)) * part(b, from+k, 8, signed(y))
		}
		return uint64(sum) & math.MaxUint32
	}
	return nil
}

// bytewise decodes the instructions of four bytes or two 16-bit numbers that recent GPUs have.
func bytewise(i *instruction, name string, mods []string, operands []operand) error {
	if len(mods) < 2 || slices.Contains(mods, "sat") || len(operands) > 1 && operands[0].kind == address {
		return errUnknown
	}
	op, size := name[1:len(name)-1], 8
	if name[len(name)-1] == '2' {
		size = 16
	}
	t := width{size, mods[len(mods)-1][0] == 's', false}
	var f func(a, b uint64) uint64
	switch op {
	case "absdiff":
		f = func(a, b uint64) uint64 {
			if t.less(a, b) {
				return b - a
			}
			return a - b
		}
	case "add":
		f = func(a, b uint64) uint64 { return a + b }
	case "sub":
		f = func(a, b uint64) uint64 { return a - b }
	case "min", "max":
		f = func(a, b uint64) uint64 {
			if t.less(a, b) == (op == "min") {
				return a
			}
			return b
		}
	default:
		return errUnknown
	}
	i.class = Integer
	sums := slices.Contains(mods, "add")
	i.evaluate = func(a, b, c uint64) (out uint64) {
		for at := 0; at < 32; at += size {
			x := f(a>>at&t.mask(), b>>at&t.mask()) & t.mask()
			if sums {
				c += x
			}
			out |= x << at
		}
		if sums {
			return c & math.MaxUint32
		}
		return out
	}
	return nil
}

// truthTable returns the function of three words whose bits a table of eight bits gives ("lop3").
func truthTable(table uint64) func(a, b, c uint64) uint64 {
	return func(a, b, c uint64) (out uint64) {
		for n := range uint64(8) {
			if table>>n&1 == 0 {
				continue
			}
			x := ^uint64(0)
			for k, w := range []uint64{c, b, a} {
				if n>>k&1 == 0 {
					w = ^w
				}
				x &= w
			}
			out |= x
		}
		return out & math.MaxUint32
	}
}

// product24 decodes products of the lower 24 bits.
func product24(i *instruction, name string, mods []string, t width) error {
	t24 := width{24, t.signed, false}
	shift := 0
	if slices.Contains(mods, "hi") {
		shift = 16
	}
	i.class, i.cost = Multiply, 2 // emulated
	i.evaluate = func(a, b, c uint64) uint64 {
		x := uint64(int64(t24.extend(a)*t24.extend(b)) >> shift)
		if name == "mad24" {
			x += c
		}
		return x & t.mask()
	}
	return nil
}

// sets decodes set, which leaves ones or 1.0 where a comparison holds.
func sets(i *instruction, mods []string, typ string) error {
	to := mods[len(mods)-2]
	if err := comparison(i, "setp", append(slices.Clone(mods[:len(mods)-2]), typ), typ); err != nil {
		return err
	}
	holds := uint64(math.MaxUint32)
	if to == "f32" {
		holds = bits32(1)
	}
	is := i.evaluate
	i.evaluate = func(a, b, c uint64) uint64 { return holds * is(a, b, c) }
	return nil
}
