package main

import "fmt"

// Whole transforms, one to a lane: the first pass reads their elements and the
// last writes them, so that no pass only moves data. In rows of four lanes, lane
// 1 holds transform 2 and lane 2 transform 1: the order in which pairs of
// transforms come apart.

// Registers of the general kind besides those that pass and last8 use.
var (
	rowOffsets = []string{"", "R4", "R5", "R6", "R7", "R19", "R20", "R21"} // of rows 1 … of a butterfly
	addresses  = []string{"R22", "R23", "R24", "R25"}                      // in turn
)

// offsets sets rowOffsets to multiples of the stride in the first one.
func (f *fft) offsets(radix int) {
	for j := 2; j < radix; j++ {
		f.put(fmt.Sprintf("ADD %s, %s, %s", rowOffsets[1], rowOffsets[j-1], rowOffsets[j]))
	}
}

// address is where row j of the transform at pointer lies.
func address(b *block, pointer string, j, turn int) string {
	if j == 0 {
		return pointer
	}
	at := addresses[turn%len(addresses)]
	b.instruction(fmt.Sprintf("ADD %s, %s, %s", pointer, rowOffsets[j], at))
	return at
}

// gathered reads element j of all transforms, whose pointers are R0 ….
func (f *fft) gathered(b *block, j int, exchanged bool) complexValue {
	var x, y value
	if f.a == d2 {
		x = b.load(fmt.Sprintf("(%s)", address(b, "R0", j, 0)))
		y = b.load(fmt.Sprintf("(%s)", address(b, "R1", j, 1)))
	} else {
		pair := func(low, high string, turn int) value {
			at := fmt.Sprintf("(%s)", low)
			if j > 0 {
				at = fmt.Sprintf("(%s)(%s)", low, rowOffsets[j])
			}
			return b.loadHigh(b.load8(at), address(b, high, j, turn+2*j))
		}
		x, y = pair("R0", "R1", 0), pair("R2", "R3", 1)
	}
	re, im := b.trn1(f.a, x, y), b.trn2(f.a, x, y)
	if exchanged {
		re, im = im, re
	}
	return complexValue{re, im}
}

// gatherPass is a first pass from whole transforms.
func (f *fft) gatherPass(name string, radix int, exchanged bool) {
	n := f.lanes()
	f.function(fmt.Sprintf("%s%dNEON%s", name, radix, f.suffix), "(work unsafe.Pointer, transforms *unsafe.Pointer, m int, twiddles unsafe.Pointer)", 32)
	f.put("MOVD transforms+8(FP), R16")
	for q := range n {
		f.put(fmt.Sprintf("MOVD %d(R16), R%d", 8*q, q))
	}
	f.put("MOVD work+0(FP), R8", "MOVD m+16(FP), R17", "MOVD twiddles+24(FP), R16", fmt.Sprintf("LSL $%d, R17, %s", [...]int{3, 4}[f.a], rowOffsets[1]))
	f.offsets(radix)
	for j := 1; j < radix; j++ {
		f.put(fmt.Sprintf("ADD R17<<5, R%d, R%d", 8+j-1, 8+j))
	}
	if radix == 8 {
		f.put(f.loadHalf())
	}
	f.label("butterfly")
	b := newBlock(f.a)
	f.butterfly(b, radix, func(j int) complexValue { return f.gathered(b, j, exchanged) })
	b.instruction(fmt.Sprintf("ADD $%d, R16, R16", 2*(radix-1)*f.a.bytes()))
	for q := range n {
		b.instruction(fmt.Sprintf("ADD $%d, R%d, R%d", 2*f.a.bytes(), q, q))
	}
	f.block(b)
	f.put("SUBS $1, R17, R17", "BNE butterfly", "RET")
}

// scatterLast is the last pass to whole transforms: block q of the work puts
// its output k offsets[q] + k·stride bytes into each.
func (f *fft) scatterLast(name string, exchanged bool) {
	n := f.lanes()
	f.function(name+"NEON"+f.suffix, "(transforms *unsafe.Pointer, work unsafe.Pointer, offsets *uint32, stride, blocks int)", 40)
	f.put("MOVD transforms+0(FP), R16")
	for q := range n {
		f.put(fmt.Sprintf("MOVD %d(R16), R%d", 8*q, 8+q))
	}
	f.put("MOVD work+8(FP), R0", "MOVD offsets+16(FP), R16", "MOVD stride+24(FP), "+rowOffsets[1], "MOVD blocks+32(FP), R17", f.loadHalf())
	f.offsets(8)
	f.label("block")
	b := newBlock(f.a)
	b.instruction("MOVWU.P 4(R16), R1")
	for q := range n {
		b.instruction(fmt.Sprintf("ADD R1, R%d, R%d", 8+q, 12+q))
	}
	f.eight(b, func(k int, y complexValue) {
		if exchanged {
			y.re, y.im = y.im, y.re
		}
		p, q := b.trn1(f.a, y.re, y.im), b.trn2(f.a, y.re, y.im)
		if f.a == d2 {
			b.store(p, address(b, "R12", k, 2*k))
			b.store(q, address(b, "R13", k, 2*k+1))
			return
		}
		halves := func(x value, low, high string, turn int) {
			at := fmt.Sprintf("(%s)", low)
			if k > 0 {
				at = fmt.Sprintf("(%s)(%s)", low, rowOffsets[k])
			}
			b.store8(x, at)
			b.storeHigh(x, address(b, high, k, turn+2*k))
		}
		halves(p, "R12", "R13", 0)
		halves(q, "R14", "R15", 1)
	})
	b.instruction(fmt.Sprintf("ADD $%d, R0, R0", 8*rowBytes))
	f.block(b)
	f.put("SUBS $1, R17, R17", "BNE block", "RET")
}
