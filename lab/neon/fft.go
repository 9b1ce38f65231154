package main

import (
	"fmt"
	"strings"
)

// The kernels of the FFT; see kernels in algorithms/fft/stockham_cpu_kernels.go
// for their contracts.

// complexValue is a row in registers: real and imaginary parts.
type complexValue struct{ re, im value }

const (
	vectorBytes = 16
	rowBytes    = 2 * vectorBytes
)

// fft writes one precision.
type fft struct {
	*file
	a      arrangement
	suffix string
}

func (f *fft) lanes() int { return vectorBytes / f.a.bytes() }

// source says how a row lies in memory.
type source struct {
	name      string
	loadName  string // before the radix in a kernel's name
	adjacent  bool
	exchanged bool
}

var sources = []source{{"rows", "pass", false, false}, {"elements", "load", true, false}, {"exchanged elements", "loadInverse", true, true}}

// row reads a row at a pointer and an offset.
func (f *fft) row(b *block, s source, pointer string, offset int) complexValue {
	x := b.load(fmt.Sprintf("%d(%s)", offset, pointer))
	y := b.load(fmt.Sprintf("%d(%s)", offset+vectorBytes, pointer))
	if !s.adjacent {
		return complexValue{x, y}
	}
	re, im := b.trn1(f.a, x, y), b.trn2(f.a, x, y)
	if s.exchanged {
		re, im = im, re
	}
	return complexValue{re, im}
}

// storeRow writes row k of those at base, by way of a register for its address.
func (f *fft) storeRow(b *block, x complexValue, base string, k int, address string) {
	if k == 0 {
		address = base
	} else {
		b.instruction(fmt.Sprintf("ADD $%d, %s, %s", k*rowBytes, base, address))
	}
	b.storePair(x.re, x.im, address)
}

func sum(b *block, x, y complexValue) complexValue {
	return complexValue{b.add(x.re, y.re), b.add(x.im, y.im)}
}

func difference(b *block, x, y complexValue) complexValue {
	return complexValue{b.sub(x.re, y.re), b.sub(x.im, y.im)}
}

// rows gives row j of a butterfly, when it is first needed.
type rows func(j int) complexValue

// radix4 transforms rows 0, step, 2·step and 3·step: 16 additions.
func radix4(b *block, x rows, first, step int) [4]complexValue {
	x0, x2 := x(first), x(first+2*step)
	s0, d0 := sum(b, x0, x2), difference(b, x0, x2)
	x1, x3 := x(first+step), x(first+3*step)
	s1, d1 := sum(b, x1, x3), difference(b, x1, x3)
	return [4]complexValue{
		sum(b, s0, s1),
		{b.add(d0.re, d1.im), b.sub(d0.im, d1.re)},
		difference(b, s0, s1),
		{b.sub(d0.re, d1.im), b.add(d0.im, d1.re)},
	}
}

// radix8 transforms eight rows, and gives each as soon as it is known: 44
// additions, 8 multiply-adds and 4 copies. half is √½ in lane 0.
func radix8(b *block, x rows, half value, give func(k int, y complexValue)) {
	even, odd := radix4(b, x, 0, 2), radix4(b, x, 1, 2)
	// The sum and the difference of e and √½·o.
	turned := func(e, o value) (value, value) {
		other := b.copy(e)
		return b.fmaElement(e, o, half, 0), b.fmsElement(other, o, half, 0)
	}
	p, m := b.add(odd[1].re, odd[1].im), b.sub(odd[1].im, odd[1].re)
	q, n := b.add(odd[3].re, odd[3].im), b.sub(odd[3].im, odd[3].re)
	give(0, sum(b, even[0], odd[0]))
	give(4, difference(b, even[0], odd[0]))
	var y1, y3, y5, y7 complexValue
	y1.re, y5.re = turned(even[1].re, p)
	y1.im, y5.im = turned(even[1].im, m)
	give(2, complexValue{b.add(even[2].re, odd[2].im), b.sub(even[2].im, odd[2].re)})
	give(6, complexValue{b.sub(even[2].re, odd[2].im), b.add(even[2].im, odd[2].re)})
	y3.re, y7.re = turned(even[3].re, n)
	y7.im, y3.im = turned(even[3].im, q)
	give(1, y1)
	give(5, y5)
	give(3, y3)
	give(7, y7)
}

// factors reads n twiddle factors at R16.
type factor struct {
	pair value
	lane int
}

func (f *fft) factors(b *block, n int) []factor {
	var list []factor
	per := f.lanes() / 2 // factors in a register
	for i := 0; i < n; i += per {
		at := fmt.Sprintf("%d(R16)", 2*f.a.bytes()*i)
		var v value
		if n-i < per {
			v = b.load8(at)
		} else {
			v = b.load(at)
		}
		for k := range min(per, n-i) {
			list = append(list, factor{v, 2 * k})
		}
	}
	return list
}

// turn is x·w: 2 multiplications and 2 multiply-adds.
func turn(b *block, x complexValue, w factor) complexValue {
	re := b.element(x.re, w.pair, w.lane)
	im := b.element(x.im, w.pair, w.lane)
	re = b.fmsElement(re, x.im, w.pair, w.lane+1)
	im = b.fmaElement(im, x.re, w.pair, w.lane+1)
	return complexValue{re, im}
}

// halfRegister holds √½, in kernels of radix 8.
const halfRegister = 31

func (f *fft) loadHalf() string {
	if f.a == s4 {
		return fmt.Sprintf("FMOVS ·halfRoot32(SB), F%d", halfRegister)
	}
	return fmt.Sprintf("FMOVD ·halfRoot64(SB), F%d", halfRegister)
}

// pass is a pass of a radix. Pointers to source rows are R0 …, to destination
// rows R8 ….
func (f *fft) pass(radix int, s source) {
	name := fmt.Sprintf("%s%dNEON%s", s.loadName, radix, f.suffix)
	bytes := 2 * (radix - 1) * f.a.bytes()
	f.function(name, "(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)", 56)
	f.put("MOVD dst+0(FP), R8", "MOVD src+8(FP), R20", "MOVD distance+16(FP), R21", "MOVD m+32(FP), R22", "MOVD blocks+40(FP), R23",
		"MUL R21, R22, R24", "LSL $5, R22, R25")
	if radix == 8 {
		f.put(f.loadHalf())
	}
	f.label("block")
	f.put("MOVD R20, R0", "MOVD twiddles+48(FP), R16", "MOVD R22, R17")
	for j := 1; j < radix; j++ {
		f.put(fmt.Sprintf("ADD R24, R%d, R%d", j-1, j), fmt.Sprintf("ADD R25, R%d, R%d", 8+j-1, 8+j))
	}
	f.label("butterfly")
	b := newBlock(f.a)
	f.butterfly(b, radix, func(j int) complexValue {
		x := f.row(b, s, fmt.Sprintf("R%d", j), 0)
		b.instruction(fmt.Sprintf("ADD R21, R%d, R%d", j, j))
		return x
	})
	b.instruction(fmt.Sprintf("ADD $%d, R16, R16", bytes))
	f.block(b)
	f.put("SUBS $1, R17, R17", "BNE butterfly", "MOVD step+24(FP), R17", "ADD R17, R20, R20",
		fmt.Sprintf("MOVD R%d, R8", 8+radix-1), "SUBS $1, R23, R23", "BNE block", "RET")
}

// butterfly is one with twiddle factors; it writes its rows to R8 ….
func (f *fft) butterfly(b *block, radix int, x rows) {
	var w []factor
	give := func(k int, y complexValue) {
		if k > 0 {
			y = turn(b, y, w[k-1])
		}
		b.storePair(y.re, y.im, fmt.Sprintf("R%d", 8+k))
		b.instruction(fmt.Sprintf("ADD $%d, R%d, R%d", rowBytes, 8+k, 8+k))
	}
	switch radix {
	case 2:
		x0, x1 := x(0), x(1)
		w = f.factors(b, 1)
		give(0, sum(b, x0, x1))
		give(1, difference(b, x0, x1))
	case 4:
		w = f.factors(b, 3)
		for k, y := range radix4(b, x, 0, 1) {
			give(k, y)
		}
	default:
		half := b.in(halfRegister)
		radix8(b, x, half, func(k int, y complexValue) {
			if w == nil {
				w = f.factors(b, 7)
			}
			give(k, y)
		})
	}
}

// last8 is the last pass in place.
func (f *fft) last8() {
	f.function("last8NEON"+f.suffix, "(work unsafe.Pointer, blocks int)", 16)
	f.put("MOVD work+0(FP), R0", "MOVD blocks+8(FP), R1", f.loadHalf())
	f.label("block")
	b := newBlock(f.a)
	f.eight(b, func(k int, y complexValue) { f.storeRow(b, y, "R0", k, fmt.Sprintf("R%d", 2+k)) })
	f.block(b)
	f.put(fmt.Sprintf("ADD $%d, R0, R0", 8*rowBytes), "SUBS $1, R1, R1", "BNE block", "RET")
}

// eight transforms eight adjacent rows at R0.
func (f *fft) eight(b *block, give func(k int, y complexValue)) {
	radix8(b, func(j int) complexValue { return f.row(b, sources[0], "R0", j*rowBytes) }, b.in(halfRegister), give)
}

// store8 is the last pass to the output, as adjacent elements. R4 … R11 point to
// the output's rows.
func (f *fft) store8(name string, exchanged bool) {
	f.function(name+"NEON"+f.suffix, "(dst, work unsafe.Pointer, offsets *uint32, stride, blocks, groups int)", 48)
	f.put("MOVD dst+0(FP), R1", "MOVD work+8(FP), R0", "MOVD stride+24(FP), R2", "MOVD groups+40(FP), R3", f.loadHalf())
	f.label("group")
	f.put("MOVD offsets+16(FP), R16", "MOVD blocks+32(FP), R17")
	f.label("block")
	f.put("MOVWU.P 4(R16), R4", "ADD R1, R4, R4")
	for k := 1; k < 8; k++ {
		f.put(fmt.Sprintf("ADD R2, R%d, R%d", 3+k, 4+k))
	}
	b := newBlock(f.a)
	f.eight(b, func(k int, y complexValue) {
		if exchanged {
			y.re, y.im = y.im, y.re
		}
		b.storePair(b.trn1(f.a, y.re, y.im), b.trn2(f.a, y.re, y.im), fmt.Sprintf("R%d", 4+k))
	})
	f.block(b)
	f.put(fmt.Sprintf("ADD $%d, R0, R0", 8*rowBytes), "SUBS $1, R17, R17", "BNE block",
		fmt.Sprintf("ADD $%d, R1, R1", rowBytes), "SUBS $1, R3, R3", "BNE group", "RET")
}

// order is the element that a lane of a row of adjacent elements holds.
func (f *fft) order(lane int) int {
	if f.a == d2 {
		return lane
	}
	return [4]int{0, 2, 1, 3}[lane]
}

// tiles multiplies tiles between the steps by their factors and transposes
// them. The factors of a tile's rows stay in registers.
func (f *fft) tiles() {
	n := f.lanes()
	f.function("tilesNEON"+f.suffix, "(dst unsafe.Pointer, step int, work unsafe.Pointer, rows *uint32, tiles int, u, v, scratch unsafe.Pointer)", 64)
	f.put("MOVD dst+0(FP), R0", "MOVD step+8(FP), R1", "MOVD work+16(FP), R2", "MOVD rows+24(FP), R3", "MOVD tiles+32(FP), R4",
		"MOVD u+40(FP), R5", "MOVD v+48(FP), R6")
	b := newBlock(f.a)
	var v []complexValue
	for i := range n {
		r := 32 - 2*n + 2*i
		v = append(v, complexValue{b.in(r), b.in(r + 1)})
		f.put(fmt.Sprintf("FMOVQ %d(R6), F%d", i*rowBytes, r), fmt.Sprintf("FMOVQ %d(R6), F%d", i*rowBytes+vectorBytes, r+1))
	}
	f.label("tile")
	u := f.row(b, sources[0], "R5", 0)
	f.tile(b, rowBytes, func(i int) complexValue { return product(b, v[i], u) })
}

// directTiles is tiles with a table of a factor for each element.
func (f *fft) directTiles() {
	f.function("directTilesNEON"+f.suffix, "(dst unsafe.Pointer, step int, work unsafe.Pointer, rows *uint32, tiles int, factors unsafe.Pointer)", 48)
	f.put("MOVD dst+0(FP), R0", "MOVD step+8(FP), R1", "MOVD work+16(FP), R2", "MOVD rows+24(FP), R3", "MOVD tiles+32(FP), R4",
		"MOVD factors+40(FP), R5")
	b := newBlock(f.a)
	f.label("tile")
	f.tile(b, f.lanes()*rowBytes, func(i int) complexValue { return f.row(b, sources[0], "R5", i*rowBytes) })
}

// tile is the loop of tiles: a tile's rows times factors, transposed. Each tile
// takes factorBytes of what R5 points to.
func (f *fft) tile(b *block, factorBytes int, factor rows) {
	n := f.lanes()
	for i := range n {
		f.put(fmt.Sprintf("MOVWU %d(R3), R%d", 4*i, 7+i), fmt.Sprintf("ADD R2, R%d, R%d", 7+i, 7+i))
	}
	var re, im []value
	for i := range n {
		y := product(b, f.row(b, sources[0], fmt.Sprintf("R%d", 7+i), 0), factor(i))
		re, im = append(re, y.re), append(im, y.im)
	}
	re, im = transpose(b, re), transpose(b, im)
	for q := range n {
		f.storeRow(b, complexValue{re[q], im[q]}, "R0", f.order(q), fmt.Sprintf("R%d", 11+q))
	}
	f.block(b)
	f.put("ADD R1, R0, R0", fmt.Sprintf("ADD $%d, R3, R3", 4*n), fmt.Sprintf("ADD $%d, R5, R5", factorBytes), "SUBS $1, R4, R4", "BNE tile", "RET")
}

// product is x·y.
func product(b *block, x, y complexValue) complexValue {
	re, im := b.mul(x.re, y.re), b.mul(x.im, y.re)
	return complexValue{b.fms(re, x.im, y.im), b.fma(im, x.re, y.im)}
}

// fftFile is the kernels of one precision.
func fftFile(a arrangement) string {
	precision := [...]string{"single", "double"}[a]
	f := &fft{newFile(strings.ReplaceAll(fftComment, "PRECISION", precision)), a, [...]string{"F32", "F64"}[a]}
	for _, s := range sources {
		for _, radix := range []int{2, 4, 8} {
			f.pass(radix, s)
		}
	}
	f.last8()
	f.store8("store8", false)
	f.store8("storeInverse8", true)
	f.tiles()
	f.directTiles()
	for _, radix := range []int{2, 4, 8} {
		f.gatherPass("gather", radix, false)
		f.gatherPass("gatherInverse", radix, true)
	}
	f.scatterLast("scatter8", false)
	f.scatterLast("scatterInverse8", true)
	return f.String()
}

const fftComment = `
Kernels of the FFT in PRECISION precision; their contracts are in
stockham_cpu_kernels.go.
`
