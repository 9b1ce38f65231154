package ptx

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// MatrixUnit is the multiply-adds of float16 for which the cost of a matrix product is 1: 16 × 8 × 8.
const MatrixUnit = 16 * 8 * 8

// product is a matrix product of a warp: D = A·B + C of rows × depth and depth × columns elements.
type product struct {
	rows, columns, depth int
	a, b, sum            number
}

// number is a type of a matrix's elements.
type number struct {
	bits    int
	decode  func(uint64) float64
	encode  func(float64) uint64
	integer bool
	// work is a tensor core's time for a product, in halves of that for float16; 0 where it has none.
	work int
}

var numbers = map[string]number{
	"f16": {16, f16, bits16, false, 2}, "bf16": {16, bf16, bitsBF16, false, 2}, "tf32": {32, tf32, nil, false, 4},
	"f32": {32, f32, bits32, false, 0}, "f64": {64, math.Float64frombits, math.Float64bits, false, 32},
	"s8":  {8, func(x uint64) float64 { return float64(int8(x)) }, nil, true, 1},
	"u8":  {8, func(x uint64) float64 { return float64(uint8(x)) }, nil, true, 1},
	"s32": {32, func(x uint64) float64 { return float64(int32(x)) }, func(x float64) uint64 { return uint64(uint32(int64(x))) }, true, 0},
}

// tf32 reads the upper 19 bits of a float32 ("PTX ISA", alternate floating-point data formats).
func tf32(x uint64) float64 { return f32(x &^ 0x1fff) }

// packed returns how many elements a register holds.
func (n number) packed() int { return max(1, 32/n.bits) }

// matrices decodes mma.sync. Each element of the result is rounded once; a tensor core also rounds in between.
func matrices(i *instruction, mods []string, operands []operand) error {
	if len(mods) < 9 || mods[0] != "sync" || mods[3] != "row" || mods[4] != "col" || slices.Contains(mods, "xor") || slices.Contains(mods, "and") || len(operands) != 4 {
		return errUnknown
	}
	var p product
	if n, _ := fmt.Sscanf(mods[2], "m%dn%dk%d", &p.rows, &p.columns, &p.depth); n != 3 || p.columns != 8 || p.rows != 8 && p.rows != 16 {
		return errUnknown
	}
	types := mods[len(mods)-4:]
	var known [4]bool
	p.sum, known[0] = numbers[types[0]]
	p.a, known[1] = numbers[types[1]]
	p.b, known[2] = numbers[types[2]]
	_, known[3] = numbers[types[3]]
	if slices.Contains(known[:], false) || types[0] != types[3] || types[1] != types[2] && !(p.a.integer && p.b.integer) || p.sum.encode == nil || p.a.work == 0 || p.b.work == 0 || p.sum.integer != p.a.integer {
		return errUnknown
	}
	var sizes [4]int
	for n, o := range operands {
		sizes[n] = 1
		if o.kind == group {
			sizes[n] = len(o.vector)
		}
	}
	in := WarpSize * p.a.packed()
	out := p.rows * p.columns / WarpSize / p.sum.packed()
	if sizes != [4]int{out, p.rows * p.depth / in, p.columns * p.depth / in, out} {
		return errUnknown
	}
	i.dst = elements(operands[0])
	for _, o := range operands[1:] {
		i.src = append(i.src, elements(o)...)
	}
	i.kind, i.class, i.matrix = multiplyMatrices, Tensor, &p
	i.cost = max(1, p.rows*p.columns*p.depth*p.a.work/2/MatrixUnit)
	return nil
}

func elements(o operand) []operand {
	if o.kind == group {
		return o.vector
	}
	return []operand{o}
}

// place returns the row and column of an element of A that a lane holds: element e of register r. Of B it
// returns the column first.
func place(n number, rows, lane, r, e int) (row, column int) {
	row, each := lane/4, n.packed()
	if rows == 16 {
		row += 8 * (r % 2)
		r /= 2
	}
	return row, lane%4*each + e + 4*each*r
}

// multiply executes mma.sync ("PTX ISA", matrix fragments for mma).
func (w *Warp) multiply(i *instruction, active uint32) error {
	if active != ^uint32(0) {
		return fmt.Errorf("a matrix product by %d of 32 lanes", bits.OnesCount32(active))
	}
	p := i.matrix
	var a [16][64]float64 // by row
	var b [8][64]float64  // by column
	fill := func(to [][64]float64, n number, rows int, from []operand) {
		for r := range from {
			for lane, x := range w.operand(&from[r], 0) {
				for e := range n.packed() {
					row, column := place(n, rows, lane, r, e)
					to[row][column] = n.decode(x >> (e * n.bits))
				}
			}
		}
	}
	sizeA, sizeB := p.rows*p.depth/WarpSize/p.a.packed(), p.columns*p.depth/WarpSize/p.a.packed()
	fill(a[:], p.a, p.rows, i.src[:sizeA])
	fill(b[:], p.b, p.columns, i.src[sizeA:sizeA+sizeB])
	c := i.src[sizeA+sizeB:]
	each := p.sum.packed()
	var out [4][WarpSize]uint64
	for r := range i.dst {
		for lane, x := range w.operand(&c[r], 0) {
			for e := range each {
				// A lane holds two neighbours of a row, in as many registers as they need.
				n := r*each + e
				row, column := lane/4+n/2*8, lane%4*2+n%2
				sum := p.sum.decode(x >> (e * p.sum.bits))
				for k := range p.depth {
					sum += a[row][k] * b[column][k]
				}
				out[r][lane] |= p.sum.encode(sum) << (e * p.sum.bits)
			}
		}
	}
	for r := range i.dst {
		if i.dst[r].kind == register {
			*w.lane(i.dst[r].reg) = out[r]
		}
	}
	return nil
}

// matrixLoad decodes ldmatrix of 8 × 8 elements of 16 bits.
func matrixLoad(i *instruction, mods []string, operands []operand) error {
	if len(mods) < 5 || mods[2] != "m8n8" || mods[len(mods)-1] != "b16" || len(operands) != 2 {
		return errUnknown
	}
	n, err := strconv.Atoi(strings.TrimPrefix(mods[3], "x"))
	i.dst, i.src = elements(operands[0]), operands[1:]
	if err != nil || len(i.dst) != n {
		return errUnknown
	}
	i.kind, i.class, i.space, i.bytes, i.count = loadMatrices, LoadStore, Shared, 16, n
	if slices.Contains(mods, "trans") {
		i.mode = "trans"
	}
	return nil
}

// loadMatrices executes ldmatrix: of each eight lanes the addresses are those of a matrix's rows.
func (w *Warp) loadMatrices(i *instruction, active uint32) error {
	if active != ^uint32(0) {
		return fmt.Errorf("matrices loaded by %d of 32 lanes", bits.OnesCount32(active))
	}
	lanes := 8 * i.count
	var rows [WarpSize][]byte
	for lane := range lanes {
		_, at := resolve(Shared, w.addressOf(&i.src[0], lane))
		row, err := w.bytesAt(Shared, at, i.bytes, lane)
		if err != nil {
			return err
		}
		rows[lane], w.addresses[lane] = row, at
	}
	for n, to := range i.dst {
		if to.kind != register {
			continue
		}
		for lane := range WarpSize {
			x := uint64(0)
			for e := range 2 {
				row, column := lane/4, lane%4*2+e
				if i.mode == "trans" {
					row, column = column, row
				}
				x |= read(rows[8*n+row][2*column:2*column+2]) << (16 * e)
			}
			w.registers[int(to.reg)*WarpSize+lane] = x
		}
	}
	w.event.Active = uint32(1<<lanes - 1)
	w.event.Space, w.event.Addresses, w.event.Bytes = Shared, &w.addresses, i.bytes
	return nil
}
