package main

import "fmt"

// The kernels of pattern matching; see algorithms/pattern/parallel_arm64.go for
// their contracts.

const patternComment = `
The best shift of a template and its best gain: NEON.
`

// maxShiftVectors is how many vectors of shifts are summed up at once: beyond, the
// factors of one element of the signal cost little beside them.
const maxShiftVectors = 12

// loop writes a loop that takes count's register down to 0; the block is what it
// does each time.
func (f *file) loop(label, count string, body func(b *block)) { f.loopOf(s4, label, count, body) }

func (f *file) loopOf(a arrangement, label, count string, body func(b *block)) {
	f.label(label)
	b := newBlock(a)
	body(b)
	f.block(b)
	f.put(fmt.Sprintf("SUBS $1, %s, %s", count, count), "BNE "+label)
}

func (f *file) zero(registers ...int) {
	for _, r := range registers {
		f.put(fmt.Sprintf("VEOR V%d.B16, V%d.B16, V%d.B16", r, r, r))
	}
}

func upTo(n int) []int {
	var list []int
	for i := range n {
		list = append(list, i)
	}
	return list
}

// shift: of each element of the signal, its pair w, b; each sum gains t·(t·w + b).
func (f *file) shift() {
	f.function("shiftNEON", "(sums, template, pairs unsafe.Pointer, n, vectors int)", 40)
	f.put("MOVD sums+0(FP), R0", "MOVD template+8(FP), R1", "MOVD pairs+16(FP), R2", "MOVD n+24(FP), R3", "MOVD vectors+32(FP), R4")
	f.zero(upTo(maxShiftVectors)...)
	for count := maxShiftVectors; count > 1; count-- {
		f.put(fmt.Sprintf("CMP $%d, R4", count), fmt.Sprintf("BEQ of%d", count))
	}
	for count := 1; count <= maxShiftVectors; count++ {
		if count > 1 {
			f.label(fmt.Sprintf("of%d", count))
		}
		f.loop(fmt.Sprintf("element%d", count), "R3", func(b *block) {
			pair := b.load8("(R2)")
			b.instruction("ADD $8, R2, R2")
			factor := b.dup(pair, 1)
			for i := range count {
				t := b.load(fmt.Sprintf("%d(R1)", 16*i))
				b.fma(b.in(i), t, b.fmaElement(b.copy(factor), t, pair, 0))
			}
			b.instruction("ADD $4, R1, R1")
		})
		for i := range count {
			f.put(fmt.Sprintf("FMOVQ F%d, %d(R0)", i, 16*i))
		}
		f.put("RET")
	}
}

// least: the lanes' minima first, then the first sum that equals the least.
func (f *file) least() {
	f.function("leastNEON", "(sums unsafe.Pointer, vectors int) int", 24)
	f.put("MOVD sums+0(FP), R0", "MOVD vectors+8(FP), R4", "MOVD R0, R1")
	for i := range 4 {
		f.put(fmt.Sprintf("FMOVQ (R0), F%d", i))
	}
	f.put("LSR $2, R4, R5", "CBZ R5, rest")
	f.loop("four", "R5", func(b *block) {
		for i := range 4 {
			b.over(i, "FMIN", b.load(fmt.Sprintf("%d(R1)", 16*i)))
		}
		b.instruction("ADD $64, R1, R1")
	})
	f.label("rest")
	f.put("AND $3, R4, R5", "CBZ R5, lanes")
	f.loop("one", "R5", func(b *block) {
		for i := 1; i < 4; i++ { // not to be overwritten
			b.in(i)
		}
		b.over(0, "FMIN", b.load("(R1)"))
		b.instruction("ADD $16, R1, R1")
	})
	f.label("lanes")
	b := newBlock(s4)
	x := b.three("FMIN", b.three("FMIN", b.take(0), b.take(1)), b.three("FMIN", b.take(2), b.take(3)))
	x = b.three("FMINP", x, x)
	b.to(4, b.three("FMINP", x, x))
	f.block(b)
	f.put("MOVD R0, R1")
	f.label("find")
	f.put("FMOVQ (R1), F0", encode3("FCMEQ", s4, 1, 0, 4), "VMOV V1.D[0], R2", "VMOV V1.D[1], R3", "ADD $16, R1, R1",
		"ORR R2, R3, R5", "CBZ R5, find",
		// The first lane's bits are all set, or none is.
		"SUB R0, R1, R1", "LSR $2, R1, R1", "SUB $4, R1, R1",
		"CBNZ R2, low", "ADD $2, R1, R1", "MOVD R3, R2")
	f.label("low")
	f.put("CBNZW R2, found", "ADD $1, R1, R1")
	f.label("found")
	f.put("MOVD R1, ret+16(FP)", "RET")
}

// errors: with d the difference of signal and template, Σ w·d², Σ w·d·t and
// Σ w·t².
func (f *file) errors() {
	f.function("errorsNEON", "(template, signal, weights unsafe.Pointer, vectors int, sums *[3]float32)", 40)
	f.put("MOVD template+0(FP), R0", "MOVD signal+8(FP), R1", "MOVD weights+16(FP), R2", "MOVD vectors+24(FP), R4", "MOVD sums+32(FP), R5")
	f.zero(0, 1, 2)
	f.loop("element", "R4", func(b *block) {
		t, w := next(b, 0, false), next(b, 2, false)
		d := b.sub(next(b, 1, false), t)
		wd := b.mul(w, d)
		b.fma(b.in(0), wd, d)
		b.fma(b.in(1), wd, t)
		b.fma(b.in(2), b.mul(w, t), t)
	})
	b := newBlock(s4)
	for i := range 3 {
		x := b.take(i)
		x = b.three("FADDP", x, x)
		b.store4(b.three("FADDP", x, x), fmt.Sprintf("%d(R5)", 4*i))
	}
	f.block(b)
	f.put("RET")
}

// parabola: e + u·(b + u·c) for gains 1 + u.
func (f *file) parabola() {
	f.function("parabolaNEON", "(sums, gains unsafe.Pointer, vectors int, e, b, c float32)", 36)
	f.put("MOVD sums+0(FP), R0", "MOVD gains+8(FP), R1", "MOVD vectors+16(FP), R4",
		"FMOVS e+24(FP), F28", "VDUP V28.S[0], V28.S4", "FMOVS b+28(FP), F29", "VDUP V29.S[0], V29.S4", "FMOVS c+32(FP), F30",
		"FMOVS $1.0, F31", "VDUP V31.S[0], V31.S4")
	f.loop("gain", "R4", func(b *block) {
		u := b.sub(next(b, 1, false), b.in(31))
		inner := b.fmaElement(b.copy(b.in(29)), u, b.in(30), 0)
		write(b, b.fma(b.copy(b.in(28)), u, inner), 0, false)
	})
	f.put("RET")
}

// direct: Σ w·(s - g·t)².
func (f *file) direct() {
	f.function("directNEON", "(template, signal, weights unsafe.Pointer, vectors int, gain float32) float32", 44)
	f.put("MOVD template+0(FP), R0", "MOVD signal+8(FP), R1", "MOVD weights+16(FP), R2", "MOVD vectors+24(FP), R4", "FMOVS gain+32(FP), F31")
	f.zero(0)
	f.loop("element", "R4", func(b *block) {
		d := b.fmsElement(next(b, 1, false), next(b, 0, false), b.in(31), 0)
		b.fma(b.in(0), b.mul(next(b, 2, false), d), d)
	})
	b := newBlock(s4)
	x := b.take(0)
	x = b.three("FADDP", x, x)
	b.store4(b.three("FADDP", x, x), "ret+40(FP)")
	f.block(b)
	f.put("RET")
}

func patternFile() string {
	f := newFile(patternComment)
	f.shift()
	f.least()
	f.errors()
	f.parabola()
	f.direct()
	return f.String()
}
