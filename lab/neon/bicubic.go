package main

import "fmt"

const bicubicComment = `
Sums of four rows by weights: NEON.
`

// sum: 16 elements at a time, then 4. The weights are the lanes of V31.
func bicubicFile() string {
	f := newFile(bicubicComment)
	f.function("sumNEON", "(to, a, b, c, d *float32, n int, weights *[4]float32)", 56)
	f.put("MOVD to+0(FP), R0", "MOVD a+8(FP), R1", "MOVD b+16(FP), R2", "MOVD c+24(FP), R3", "MOVD d+32(FP), R4",
		"MOVD n+40(FP), R5", "MOVD weights+48(FP), R6", "FMOVQ (R6), F31", "LSR $4, R5, R7", "CBZ R7, rest")
	vectors := func(count int) func(b *block) {
		return func(b *block) {
			weights := b.in(31)
			for i := range count {
				x := b.element(b.load(fmt.Sprintf("%d(R1)", 16*i)), weights, 0)
				for k := 1; k < 4; k++ {
					x = b.fmaElement(x, b.load(fmt.Sprintf("%d(R%d)", 16*i, 1+k)), weights, k)
				}
				b.store(x, "R0")
				b.instruction("ADD $16, R0, R0")
			}
			for k := range 4 {
				b.instruction(fmt.Sprintf("ADD $%d, R%d, R%d", 16*count, 1+k, 1+k))
			}
		}
	}
	f.loop("sixteen", "R7", vectors(4))
	f.label("rest")
	f.put("AND $15, R5, R5", "LSR $2, R5, R5", "CBZ R5, end")
	f.loop("four", "R5", vectors(1))
	f.label("end")
	f.put("RET")
	return f.String()
}
