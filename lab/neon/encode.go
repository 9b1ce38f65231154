package main

import "fmt"

// arrangement is how a vector register is divided.
type arrangement int

const (
	s4 arrangement = iota // four of 32 bits
	d2                    // two of 64 bits
)

// arm and plan9 are an arrangement in Arm's and in Go's notation.
func (a arrangement) arm() string   { return [...]string{"4S", "2D"}[a] }
func (a arrangement) plan9() string { return [...]string{"S4", "D2"}[a] }
func (a arrangement) lane() string  { return [...]string{"S", "D"}[a] }

// bytes is the size of a lane.
func (a arrangement) bytes() int { return [...]int{4, 8}[a] }

// Go's assembler has few of the vector instructions for floating point; those
// below are encoded here. Source: Arm Architecture Reference Manual for
// A-profile, C4.1 "Advanced SIMD three same", "vector x indexed element" and
// "two-register miscellaneous". The words hold no registers and stand for
// arrangement 4S; bit 22 makes it 2D.
var (
	threeSame = map[string]uint32{
		"FADD":   0x4E20D400,
		"FSUB":   0x4EA0D400,
		"FMUL":   0x6E20DC00,
		"FDIV":   0x6E20FC00,
		"FMIN":   0x4EA0F400,
		"FMINP":  0x6EA0F400,
		"FADDP":  0x6E20D400,
		"FCMEQ":  0x4E20E400,
		"FRECPS": 0x4E20FC00,
	}
	byElement = map[string]uint32{
		"FMUL": 0x4F809000,
		"FMLA": 0x4F801000,
		"FMLS": 0x4F805000,
	}
	twoRegisters = map[string]uint32{
		"FNEG":   0x6EA0F800,
		"FRECPE": 0x4EA1D800,
	}
)

// word is an instruction as Go's assembler takes it, with Arm's notation as a
// comment.
func word(code uint32, text string) string { return fmt.Sprintf("WORD $0x%08X // %s", code, text) }

func register(n int) uint32 {
	if n < 0 || n > 31 {
		panic(fmt.Sprintf("no vector register %d", n))
	}
	return uint32(n)
}

// encode3 is d = n op m.
func encode3(op string, a arrangement, d, n, m int) string {
	base, ok := threeSame[op]
	if !ok {
		panic("no instruction " + op)
	}
	code := base | uint32(a)<<22 | register(m)<<16 | register(n)<<5 | register(d)
	return word(code, fmt.Sprintf("%s V%d.%s, V%d.%s, V%d.%s", op, d, a.arm(), n, a.arm(), m, a.arm()))
}

// encodeElement is d = n·m[lane], or d ± n·m[lane].
func encodeElement(op string, a arrangement, d, n, m, lane int) string {
	base, ok := byElement[op]
	if !ok || lane < 0 || lane >= 16/a.bytes() {
		panic(fmt.Sprintf("no instruction %s with lane %d of %s", op, lane, a.arm()))
	}
	code := base | uint32(a)<<22 | register(m)<<16 | register(n)<<5 | register(d)
	if a == s4 {
		code |= uint32(lane&1)<<21 | uint32(lane>>1)<<11
	} else {
		code |= uint32(lane) << 11
	}
	return word(code, fmt.Sprintf("%s V%d.%s, V%d.%s, V%d.%s[%d]", op, d, a.arm(), n, a.arm(), m, a.lane(), lane))
}

// encode2 is d = op n.
func encode2(op string, a arrangement, d, n int) string {
	base, ok := twoRegisters[op]
	if !ok {
		panic("no instruction " + op)
	}
	return word(base|uint32(a)<<22|register(n)<<5|register(d), fmt.Sprintf("%s V%d.%s, V%d.%s", op, d, a.arm(), n, a.arm()))
}
