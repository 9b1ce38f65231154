package main

import "fmt"

// The kernels of tridiagonal systems; see algorithms/tridiagonal/vector.go for
// their contracts.

const tridiagonalComment = `
The Thomas algorithm for systems side by side: NEON.
`

// tridiagonal writes the kernels of one precision.
type tridiagonal struct {
	*file
	a      arrangement
	suffix string
}

func (t *tridiagonal) lanes() int { return vectorBytes / t.a.bytes() }

// piece is what a loop works on at once: vectors, or one system in lane 0 with
// zeros beside it.
type piece struct {
	a       arrangement
	vectors int // 0: one system
}

func (p piece) bytes() int {
	if p.vectors == 0 {
		return p.a.bytes()
	}
	return vectorBytes * p.vectors
}

// load reads vector i at a pointer.
func (p piece) load(b *block, pointer string, i int) value {
	switch at := fmt.Sprintf("%d(%s)", vectorBytes*i, pointer); {
	case p.vectors > 0:
		return b.load(at)
	case p.a == s4:
		return b.load4(at)
	default:
		return b.load8(at)
	}
}

// store writes x and moves the pointer on.
func (p piece) store(b *block, x value, pointer string) {
	bytes := vectorBytes
	switch at := fmt.Sprintf("(%s)", pointer); {
	case p.vectors > 0:
		b.store(x, pointer)
	case p.a == s4:
		b.store4(x, at)
		bytes = p.a.bytes()
	default:
		b.store8(x, at)
		bytes = p.a.bytes()
	}
	b.instruction(fmt.Sprintf("ADD $%d, %s, %s", bytes, pointer, pointer))
}

// columns writes the loops over a row: four vectors at a time, then one, then
// single systems. R9 … R11 hold how many of each; R13 counts.
func (t *tridiagonal) columns(body func(b *block, p piece)) {
	for i, l := range []struct {
		name    string
		vectors int
	}{{"four", 4}, {"one", 1}, {"single", 0}} {
		end := [...]string{"ones", "singles", "next"}[i]
		t.put(fmt.Sprintf("MOVD R%d, R13", 9+i), "CBZ R13, "+end)
		t.loopOf(t.a, l.name, "R13", func(b *block) { body(b, piece{t.a, l.vectors}) })
		t.label(end)
	}
}

// counts sets R9 … R11 from the width in R10, and R12 to what is left of a row of
// R16 bytes behind it.
func (t *tridiagonal) counts() {
	size, lanes := [...]int{2, 3}[t.a], [...]int{2, 1}[t.a] // logarithms
	t.put(fmt.Sprintf("LSL $%d, R10, R12", size), "SUB R12, R16, R12",
		fmt.Sprintf("AND $%d, R10, R11", t.lanes()-1), fmt.Sprintf("LSR $%d, R10, R9", lanes+2),
		fmt.Sprintf("LSR $%d, R10, R10", lanes), "AND $3, R10, R10")
}

// eliminate: with the pivot p = b - a·e' and what stands before it from the row
// before, e = c/p and v = (d - a·v')/p.
func (t *tridiagonal) eliminate() {
	t.function("eliminateNEON"+t.suffix, "(v, e, a, b, c, d, vBefore, eBefore unsafe.Pointer, rows, width, stride int)", 88)
	for i, name := range []string{"v", "e", "a", "b", "c", "d", "vBefore", "eBefore", "rows"} {
		t.put(fmt.Sprintf("MOVD %s+%d(FP), R%d", name, 8*i, i))
	}
	t.put("MOVD width+72(FP), R10", "MOVD stride+80(FP), R16")
	t.counts()
	t.label("row")
	t.put("MOVD R0, R14", "MOVD R1, R15")
	t.columns(func(b *block, p piece) {
		for i := range max(1, p.vectors) {
			before := p.load(b, "R7", i)
			a := p.load(b, "R2", i)
			pivot := b.fms(p.load(b, "R3", i), a, before)
			right := b.fms(p.load(b, "R5", i), a, p.load(b, "R6", i))
			inverse := b.reciprocal(pivot)
			p.store(b, b.mul(p.load(b, "R4", i), inverse), "R1")
			p.store(b, b.mul(right, inverse), "R0")
		}
		for r := 2; r <= 7; r++ {
			b.instruction(fmt.Sprintf("ADD $%d, R%d, R%d", p.bytes(), r, r))
		}
	})
	for _, r := range []int{0, 2, 3, 4, 5} {
		t.put(fmt.Sprintf("ADD R12, R%d, R%d", r, r))
	}
	t.put("MOVD R14, R6", "MOVD R15, R7", "SUBS $1, R8, R8", "BNE row", "RET")
}

// substitute: v - e·v' with v' of the row behind.
func (t *tridiagonal) substitute() {
	t.function("substituteNEON"+t.suffix, "(v, e unsafe.Pointer, rows, width, stride int)", 40)
	t.put("MOVD v+0(FP), R0", "MOVD e+8(FP), R1", "MOVD rows+16(FP), R8", "MOVD width+24(FP), R10", "MOVD stride+32(FP), R16",
		"ADD R16, R0, R2", fmt.Sprintf("LSL $%d, R10, R17", [...]int{2, 3}[t.a]))
	t.counts()
	t.label("row")
	t.put("MOVD R0, R14", "MOVD R1, R15")
	t.columns(func(b *block, p piece) {
		for i := range max(1, p.vectors) {
			p.store(b, b.fms(p.load(b, "R0", 0), p.load(b, "R1", i), p.load(b, "R2", i)), "R0")
		}
		for r := 1; r <= 2; r++ {
			b.instruction(fmt.Sprintf("ADD $%d, R%d, R%d", p.bytes(), r, r))
		}
	})
	t.put("MOVD R14, R2", "SUB R16, R14, R0", "SUB R17, R15, R1", "SUBS $1, R8, R8", "BNE row", "RET")
}

// Rows of a part's state, in registers.
const (
	stateE = iota // of e, f and g
	stateF
	stateG
	firstE // of the first row's
	firstF
	firstG
	stateRows
)

// reduce: with the pivot p = b - a·f, e = -a·e/p, f = c/p and g = (d - a·g)/p; and
// what the first row keeps loses its f times them. Two vectors of parts go down all
// rows in registers, then one.
func (t *tridiagonal) reduce() {
	t.function("reduceNEON"+t.suffix, "(state, a, b, c, d unsafe.Pointer, rows, width int)", 56)
	t.put("MOVD state+0(FP), R0", "MOVD a+8(FP), R1", "MOVD b+16(FP), R2", "MOVD c+24(FP), R3", "MOVD d+32(FP), R4",
		"MOVD width+48(FP), R9", fmt.Sprintf("LSR $%d, R9, R10", [...]int{2, 1}[t.a]), fmt.Sprintf("LSL $%d, R9, R9", [...]int{2, 3}[t.a]))
	for i, vectors := range []int{2, 1} {
		name, end := [...]string{"two", "one"}[i], [...]string{"last", "end"}[i]
		t.label(name)
		t.put(fmt.Sprintf("CMP $%d, R10", vectors), "BLT "+end, "MOVD rows+40(FP), R8", "MOVD R0, R11",
			"MOVD R1, R12", "MOVD R2, R13", "MOVD R3, R14", "MOVD R4, R15")
		first := 32 - stateRows*vectors
		move := func(format string) {
			for row := range stateRows {
				for k := range vectors {
					t.put(fmt.Sprintf(format, vectorBytes*k, first+stateRows*k+row))
				}
				t.put("ADD R9, R11, R11")
			}
		}
		move("FMOVQ %d(R11), F%d")
		t.loopOf(t.a, name+"Row", "R8", func(b *block) {
			for k := range vectors {
				t.reduceRow(b, vectorBytes*k, first+stateRows*k)
			}
			for r := 12; r <= 15; r++ {
				b.instruction(fmt.Sprintf("ADD R9, R%d, R%d", r, r))
			}
		})
		t.put("MOVD R0, R11")
		move("FMOVQ F%[2]d, %[1]d(R11)")
		for r := range 5 {
			t.put(fmt.Sprintf("ADD $%d, R%d, R%d", vectorBytes*vectors, r, r))
		}
		t.put(fmt.Sprintf("SUB $%d, R10, R10", vectors), "B "+name)
		t.label(end)
	}
	t.put("RET")
}

// reduceRow is a row of a vector of parts, whose state lies in registers from first
// on.
func (t *tridiagonal) reduceRow(b *block, offset, first int) {
	var state [stateRows]value
	for i := range state {
		state[i] = b.in(first + i)
	}
	load := func(r int) value { return b.load(fmt.Sprintf("%d(R%d)", offset, r)) }
	becomes := func(row int, x, y value) value {
		return b.onto(arithmetic, state[row], func(d int, r func(value) int) string { return encode3("FMUL", b.a, d, r(x), r(y)) }, x, y)
	}
	a := load(12)
	inverse := b.reciprocal(b.fms(load(13), a, state[stateF]))
	negative := b.define(arithmetic, func(d int, r func(value) int) string { return encode2("FNEG", b.a, d, r(inverse)) }, inverse)
	right := b.fms(load(15), a, state[stateG])
	left := b.mul(a, state[stateE])
	c := load(14)
	e := becomes(stateE, left, negative)
	b.fms(state[firstE], state[firstF], e)
	g := becomes(stateG, right, inverse)
	b.fms(state[firstG], state[firstF], g)
	becomes(stateF, c, inverse)
	becomes(firstF, state[firstF], b.mul(c, negative))
}

// rowAddresses sets R5 … R7 to rows 1 … 3 from R0 on, R9 bytes apart.
var rowAddresses = []string{"ADD R9, R0, R5", "ADD R9, R5, R6", "ADD R9, R6, R7"}

// between writes a kernel that moves four rows of as many systems as there are
// lanes at a time: systems at R1 …, rows at R0.
func (t *tridiagonal) between(name, rows, systems string, body func(b *block)) {
	t.function(name+"NEON"+t.suffix, "(dst, src unsafe.Pointer, distance, width, fours int)", 40)
	t.put(fmt.Sprintf("MOVD %s, R0", rows), fmt.Sprintf("MOVD %s, R1", systems), "MOVD distance+16(FP), R8",
		"MOVD width+24(FP), R9", "MOVD fours+32(FP), R10")
	for q := 1; q < t.lanes(); q++ {
		t.put(fmt.Sprintf("ADD R8, R%d, R%d", q, q+1))
	}
	t.loopOf(t.a, "rows", "R10", func(b *block) {
		for _, text := range rowAddresses {
			b.instruction(text)
		}
		body(b)
		for q := range t.lanes() {
			b.instruction(fmt.Sprintf("ADD $%d, R%d, R%d", 4*t.a.bytes(), 1+q, 1+q))
		}
		b.instruction("ADD R9, R7, R0")
	})
	t.put("RET")
}

// rowPointers point to four rows.
var rowPointers = []string{"R0", "R5", "R6", "R7"}

func (t *tridiagonal) interleave() {
	t.between("interleave", "dst+0(FP)", "src+8(FP)", func(b *block) {
		for first := 0; first < len(rowPointers); first += t.lanes() {
			var x []value
			for q := range t.lanes() {
				x = append(x, b.load(fmt.Sprintf("%d(R%d)", first*t.a.bytes(), 1+q)))
			}
			for k, row := range transpose(b, x) {
				b.store(row, rowPointers[first+k])
			}
		}
	})
}

func (t *tridiagonal) separate() {
	t.between("separate", "src+8(FP)", "dst+0(FP)", func(b *block) {
		var x []value
		for _, pointer := range rowPointers {
			x = append(x, b.load(fmt.Sprintf("(%s)", pointer)))
		}
		low := transpose(b, x[:t.lanes()])
		if t.a == s4 {
			for q, system := range low {
				b.store(system, fmt.Sprintf("R%d", 1+q))
			}
			return
		}
		for q, high := range transpose(b, x[t.lanes():]) {
			b.storePair(low[q], high, fmt.Sprintf("R%d", 1+q))
		}
	})
}

func tridiagonalFile() string {
	f := newFile(tridiagonalComment)
	for _, t := range []tridiagonal{{f, s4, "F32"}, {f, d2, "F64"}} {
		t.eliminate()
		t.substitute()
		t.reduce()
		t.interleave()
		t.separate()
	}
	return f.String()
}
