package main

import (
	"fmt"
	"strings"
)

const scanComment = `
Scans and sums of whole vectors: NEON.
`

// scan writes the kernels of one type.
type scan struct {
	*file
	a       arrangement
	name    string // of the type
	integer bool
}

func (s *scan) lanes() int { return vectorBytes / s.a.bytes() }

func (s *scan) add(b *block, x, y value) value {
	if !s.integer {
		return b.add(x, y)
	}
	return b.define(moving, func(d int, r func(value) int) string {
		return fmt.Sprintf("VADD V%d.S4, V%d.S4, V%d.S4", r(y), r(x), d)
	}, x, y)
}

// Registers that outlast a vector.
const (
	zeroRegister  = 31
	baseRegister  = 30 // what is added to each row
	carryRegister = 29 // the sum of the row's vectors before
)

// up is x moved up by some lanes, zeros below.
func (s *scan) up(b *block, x value, lanes int) value {
	return b.define(moving, func(d int, r func(value) int) string {
		return fmt.Sprintf("VEXT $%d, V%d.B16, V%d.B16, V%d.B16", vectorBytes-lanes*s.a.bytes(), r(x), zeroRegister, d)
	}, x, b.in(zeroRegister))
}

// vectors scans count vectors. Only the carry's addition waits for the vector
// before.
func (s *scan) vectors(b *block, count int, exclusive bool) {
	carry, base := b.in(carryRegister), b.in(baseRegister)
	b.instruction("ADD R1, R6, R10")
	b.instruction("PRFM (R10), PLDL2KEEP")
	for i := range count {
		x := b.load(fmt.Sprintf("%d(R1)", vectorBytes*i))
		for lanes := 1; lanes < s.lanes(); lanes *= 2 {
			x = s.add(b, x, s.up(b, x, lanes))
		}
		before := s.add(b, carry, base)
		last := b.dup(x, s.lanes()-1)
		carry = s.add(b, carry, last)
		if exclusive {
			x = s.up(b, x, 1)
		}
		b.store(s.add(b, x, before), "R0")
		b.instruction("ADD $16, R0, R0")
	}
	b.to(carryRegister, carry)
	b.instruction(fmt.Sprintf("ADD $%d, R1, R1", vectorBytes*count))
}

func (s *scan) kernel(kind string, exclusive bool) {
	s.function("scan"+kind+"NEON"+s.name, "(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)", 56)
	s.put("MOVD dst+0(FP), R0", "MOVD src+8(FP), R1", "MOVD vectors+16(FP), R2", "MOVD rows+24(FP), R3", "MOVD base+32(FP), R4",
		"MOVD total+40(FP), R5", "MOVD ahead+48(FP), R6", fmt.Sprintf("VLD1R (R4), [V%d.%s]", baseRegister, s.a.plan9()))
	s.zero(zeroRegister)
	s.label("row")
	s.zero(carryRegister)
	s.put("LSR $2, R2, R7", "AND $3, R2, R8", "CBZ R7, rest")
	s.loopOf(s.a, "four", "R7", func(b *block) { s.vectors(b, 4, exclusive) })
	s.label("rest")
	s.put("CBZ R8, end")
	s.loopOf(s.a, "one", "R8", func(b *block) { s.vectors(b, 1, exclusive) })
	s.label("end")
	s.put("SUBS $1, R3, R3", "BNE row", fmt.Sprintf("FMOV%s F%d, (R5)", s.a.lane(), carryRegister), "RET")
}

// sum adds up vectors lane by lane, in four chains.
func (s *scan) sum() {
	s.function("sumNEON"+s.name, "(src unsafe.Pointer, vectors int, sums unsafe.Pointer)", 24)
	s.put("MOVD src+0(FP), R1", "MOVD vectors+8(FP), R2", "MOVD sums+16(FP), R0")
	s.zero(0, 1, 2, 3)
	accumulate := func(b *block, i int, x value) {
		v := b.in(i)
		b.onto(arithmetic, v, func(d int, r func(value) int) string {
			if s.integer {
				return fmt.Sprintf("VADD V%d.S4, V%d.S4, V%d.S4", r(x), d, d)
			}
			return encode3("FADD", s.a, d, d, r(x))
		}, x)
	}
	s.put("LSR $2, R2, R7", "AND $3, R2, R8", "CBZ R7, rest")
	s.loopOf(s.a, "four", "R7", func(b *block) {
		for i := range 4 {
			accumulate(b, i, b.load(fmt.Sprintf("%d(R1)", vectorBytes*i)))
		}
		b.instruction("ADD $64, R1, R1")
	})
	s.label("rest")
	s.put("CBZ R8, end")
	s.loopOf(s.a, "one", "R8", func(b *block) {
		for i := 1; i < 4; i++ { // not to be overwritten
			b.in(i)
		}
		accumulate(b, 0, b.load("(R1)"))
		b.instruction("ADD $16, R1, R1")
	})
	s.label("end")
	b := newBlock(s.a)
	b.store(s.add(b, s.add(b, b.take(0), b.take(1)), s.add(b, b.take(2), b.take(3))), "R0")
	s.block(b)
	s.put("RET")
}

func scanFile() string {
	f := newFile(strings.TrimSpace(scanComment))
	for _, s := range []scan{{f, s4, "F32", false}, {f, d2, "F64", false}, {f, s4, "I32", true}} {
		s.kernel("Inclusive", false)
		s.kernel("Exclusive", true)
		s.sum()
	}
	return f.String()
}
