package main

import "fmt"

// The kernels of QR; see algorithms/qr/parallel_arm64.go for their contracts.

const qrComment = `
Columns against the eight reflections of a panel: NEON.
`

// reflections is how many are applied together.
const reflections = 8

// reflectionColumns sets R8 … R15 to the columns at R4, R5 bytes apart.
func (f *file) reflectionColumns() {
	f.put("MOVD R4, R8")
	for k := 1; k < reflections; k++ {
		f.put(fmt.Sprintf("ADD R5, R%d, R%d", 7+k, 8+k))
	}
}

// inRows writes a loop over R6 rows, four at a time and then one at a time. A
// single row lies in lane 0, with zeros beside it.
func (f *file) inRows(name string, body func(b *block, single bool)) {
	f.put("LSR $2, R6, R16", fmt.Sprintf("CBZ R16, %sRest", name))
	f.label(name + "Four")
	b := newBlock(s4)
	body(b, false)
	f.block(b)
	f.put("SUBS $1, R16, R16", fmt.Sprintf("BNE %sFour", name))
	f.label(name + "Rest")
	f.put("AND $3, R6, R16", fmt.Sprintf("CBZ R16, %sEnd", name))
	f.label(name + "One")
	b = newBlock(s4)
	body(b, true)
	f.block(b)
	f.put("SUBS $1, R16, R16", fmt.Sprintf("BNE %sOne", name))
	f.label(name + "End")
}

// next reads what the pointer shows and moves it on.
func next(b *block, pointer int, single bool) value {
	var v value
	if single {
		v = b.load4(fmt.Sprintf("(R%d)", pointer))
	} else {
		v = b.load(fmt.Sprintf("(R%d)", pointer))
	}
	advance(b, pointer, single)
	return v
}

func advance(b *block, pointer int, single bool) {
	bytes := 16
	if single {
		bytes = 4
	}
	b.instruction(fmt.Sprintf("ADD $%d, R%d, R%d", bytes, pointer, pointer))
}

// put writes what belongs where the pointer shows and moves it on.
func write(b *block, x value, pointer int, single bool) {
	if single {
		b.store4(x, fmt.Sprintf("(R%d)", pointer))
	} else {
		b.store(x, fmt.Sprintf("R%d", pointer))
	}
	advance(b, pointer, single)
}

// products adds up, in registers from 0 on, the products of the columns at R2 …
// with each reflection.
func (f *file) products(columns int) {
	for i := range columns * reflections {
		f.put(fmt.Sprintf("VEOR V%d.B16, V%d.B16, V%d.B16", i, i, i))
	}
	f.reflectionColumns()
	f.inRows("dots", func(b *block, single bool) {
		var c []value
		for i := range columns {
			c = append(c, next(b, 2+i, single))
		}
		for k := range reflections {
			v := next(b, 8+k, single)
			for i := range columns {
				b.fma(b.in(i*reflections+k), v, c[i])
			}
		}
	})
}

// sums makes of eight vectors two that hold the sums of each one's lanes.
func sums(b *block, x []value) (low, high value) {
	four := func(x []value) value {
		return b.three("FADDP", b.three("FADDP", x[0], x[1]), b.three("FADDP", x[2], x[3]))
	}
	return four(x[:4]), four(x[4:])
}

func (f *file) dots() {
	f.function("dotsNEON", "(c, v unsafe.Pointer, stride, rows int, w *[8]float32)", 40)
	f.put("MOVD c+0(FP), R2", "MOVD v+8(FP), R4", "MOVD stride+16(FP), R5", "MOVD rows+24(FP), R6", "MOVD w+32(FP), R7")
	f.products(1)
	b := newBlock(s4)
	var x []value
	for k := range reflections {
		x = append(x, b.take(k))
	}
	low, high := sums(b, x)
	b.store(low, "R7")
	b.instruction("ADD $16, R7, R8")
	b.store(high, "R8")
	f.block(b)
	f.put("RET")
}

// apply: the products of two columns with the reflections, times T, are what is
// taken of each reflection.
func (f *file) apply() {
	f.function("applyNEON", "(c0, c1, v unsafe.Pointer, stride, rows int, t *[8][8]float32)", 48)
	f.put("MOVD c0+0(FP), R0", "MOVD c1+8(FP), R1", "MOVD v+16(FP), R4", "MOVD stride+24(FP), R5", "MOVD rows+32(FP), R6", "MOVD t+40(FP), R7",
		"MOVD R0, R2", "MOVD R1, R3")
	f.products(2)
	b := newBlock(s4)
	var x []value
	for k := range 2 * reflections {
		x = append(x, b.take(k))
	}
	var w [2][2]value
	w[0][0], w[0][1] = sums(b, x[:reflections])
	w[1][0], w[1][1] = sums(b, x[reflections:])
	// Two chains for each half of each column: k even and odd.
	var u [2][2][2]value
	for k := range reflections {
		for half := range 2 {
			t := b.load(fmt.Sprintf("%d(R7)", 32*k+16*half))
			for i := range 2 {
				sum := &u[i][half][k%2]
				if k < 2 {
					*sum = b.element(t, w[i][k/4], k%4)
				} else {
					*sum = b.fmaElement(*sum, t, w[i][k/4], k%4)
				}
			}
		}
	}
	for i := range 2 {
		for half := range 2 {
			b.to(28+2*i+half, b.add(u[i][half][0], u[i][half][1]))
		}
	}
	f.block(b)
	f.put("MOVD R0, R2", "MOVD R1, R3")
	f.reflectionColumns()
	f.inRows("subtract", func(b *block, single bool) {
		var c [2]value
		for i := range c {
			if single {
				c[i] = b.load4(fmt.Sprintf("(R%d)", 2+i))
			} else {
				c[i] = b.load(fmt.Sprintf("(R%d)", 2+i))
			}
		}
		var u [4]value
		for i := range u {
			u[i] = b.in(28 + i)
		}
		for k := range reflections {
			v := next(b, 8+k, single)
			for i := range c {
				c[i] = b.fmsElement(c[i], v, u[2*i+k/4], k%4)
			}
		}
		for i := range c {
			write(b, c[i], 2+i, single)
		}
	})
	f.put("RET")
}

func (f *file) axpy() {
	f.function("subtractNEON", "(c, v unsafe.Pointer, rows int, w float32)", 28)
	f.put("MOVD c+0(FP), R2", "MOVD v+8(FP), R8", "MOVD rows+16(FP), R6", "FMOVS w+24(FP), F31")
	f.inRows("axpy", func(b *block, single bool) {
		var c value
		if single {
			c = b.load4("(R2)")
		} else {
			c = b.load("(R2)")
		}
		write(b, b.fmsElement(c, next(b, 8, single), b.in(31), 0), 2, single)
	})
	f.put("RET")
}

func qrFile() string {
	f := newFile(qrComment)
	f.dots()
	f.apply()
	f.axpy()
	return f.String()
}
