package ptx

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
)

// fragments is one mma instruction with where its registers' elements lie, as the tables of "PTX ISA" list them
// for a lane of group g that is thread t of it. Elements of a register are neighbours: columns of A, rows of B.
type fragments struct {
	name                string
	rows, depth         int
	a, b                func(g, t, register int) (row, column int)
	packed              int // elements of a register of A and of B
	register            string
	value               func(float64) uint64 // an element's bits
	sums                int
	sum                 string // the registers of C and D
	out                 func(uint64) float64
	outBytes, outPacked int // of an element; elements of a register
	tolerance           float64
	loadA, loadB        int // registers
}

// warp prepares a launch of kernel k by so many threads, whose argument is the address of so many bytes.
func warp(t *testing.T, source string, threads int, size int) (*Launch, *words) {
	t.Helper()
	l, memory := launch(t, source, "k")
	memory.bytes = make([]byte, size)
	l.Block = Dim3{threads, 1, 1}
	args, err := l.Kernel.Arguments([][]byte{binary.LittleEndian.AppendUint64(nil, memory.at)})
	if err != nil {
		t.Fatal(err)
	}
	l.Arguments = args
	return l, memory
}

func second(n int) int { return n % 2 * 8 }

func TestMatrixProducts(t *testing.T) {
	half := func(a, b int) fragments { // m16n8k16 and k8
		return fragments{rows: 16, depth: 8 * a / 2, packed: 2, register: "b32", loadA: a, loadB: b,
			a: func(g, t, r int) (int, int) { return g + second(r), 2*t + r/2*8 },
			b: func(g, t, r int) (int, int) { return 2*t + r*8, g }}
	}
	byWord := func(a, b, depth int) fragments { // tf32
		return fragments{rows: 16, depth: depth, packed: 1, register: "b32", loadA: a, loadB: b,
			a: func(g, t, r int) (int, int) { return g + second(r), t + r/2*4 },
			b: func(g, t, r int) (int, int) { return t + r*4, g }}
	}
	bytes := func(a, b, depth int) fragments {
		return fragments{rows: 16, depth: depth, packed: 4, register: "b32", loadA: a, loadB: b,
			a: func(g, t, r int) (int, int) { return g + second(r), 4*t + r/2*16 },
			b: func(g, t, r int) (int, int) { return 4*t + r*16, g }}
	}
	double := fragments{rows: 8, depth: 4, packed: 1, register: "f64", loadA: 1, loadB: 1,
		a: func(g, t, r int) (int, int) { return g, t }, b: func(g, t, r int) (int, int) { return t, g }}
	with := func(f fragments, name, sum string, value func(float64) uint64) fragments {
		f.name, f.value, f.sum, f.tolerance = name, value, sum, 1e-6
		f.out, f.outBytes, f.outPacked, f.sums = func(x uint64) float64 { return float64(math.Float32frombits(uint32(x))) }, 4, 1, 4
		switch sum {
		case "f64":
			f.out, f.outBytes, f.sums, f.tolerance = math.Float64frombits, 8, 2, 1e-15
		case "s32":
			f.out, f.tolerance = func(x uint64) float64 { return float64(int32(x)) }, 0
		case "f16":
			f.out, f.outBytes, f.outPacked, f.sums, f.tolerance = f16, 2, 2, 2, 1e-3
		}
		return f
	}
	float := func(x float64) uint64 { return uint64(math.Float32bits(float32(x))) }
	small := func(x float64) uint64 { return uint64(uint8(int8(8 * x))) }
	upper := func(x float64) uint64 { return float(x) >> 16 }
	for _, f := range []fragments{
		with(half(4, 2), "m16n8k16.row.col.f32.f16.f16.f32", "f32", bits16),
		with(half(2, 1), "m16n8k8.row.col.f32.f16.f16.f32", "f32", bits16),
		with(half(4, 2), "m16n8k16.row.col.f16.f16.f16.f16", "f16", bits16),
		with(half(4, 2), "m16n8k16.row.col.f32.bf16.bf16.f32", "f32", upper),
		with(byWord(4, 2, 8), "m16n8k8.row.col.f32.tf32.tf32.f32", "f32", float),
		with(byWord(2, 1, 4), "m16n8k4.row.col.f32.tf32.tf32.f32", "f32", float),
		with(bytes(4, 2, 32), "m16n8k32.row.col.s32.s8.s8.s32", "s32", small),
		with(bytes(2, 1, 16), "m16n8k16.row.col.satfinite.s32.s8.s8.s32", "s32", small),
		with(double, "m8n8k4.row.col.f64.f64.f64.f64", "f64", math.Float64bits),
	} {
		t.Run(f.name, f.test)
	}
}

// multiplication is a kernel whose lanes load their registers, multiply and store what they have of D.
func (f *fragments) multiplication() string {
	var text strings.Builder
	fmt.Fprintf(&text, ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .b32 %%r<3>;\n.reg .b64 %%rd<4>;\n.reg .%s %%a<9>;\n.reg .%s %%c<5>;\n", f.register, sumRegister(f))
	fmt.Fprintf(&text, "ld.param.u64 %%rd1, [p];\nmov.u32 %%r1, %%tid.x;\nmul.wide.u32 %%rd2, %%r1, 64;\nadd.s64 %%rd3, %%rd1, %%rd2;\n")
	list := func(name string, from, n int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf("%%%s%d", name, from+i))
		}
		return "{" + strings.Join(all, ", ") + "}"
	}
	size := 4
	if f.register == "f64" {
		size = 8
	}
	for i := range f.loadA + f.loadB {
		fmt.Fprintf(&text, "ld.global.%s %%a%d, [%%rd3+%d];\n", f.register, i, size*i)
	}
	for i := range f.sums {
		fmt.Fprintf(&text, "ld.global.%s %%c%d, [%%rd3+%d];\n", sumRegister(f), i, 32+sumBytes(f)*i)
	}
	fmt.Fprintf(&text, "mma.sync.aligned.%s %s, %s, %s, %s;\n", f.name, list("c", 0, f.sums), list("a", 0, f.loadA), list("a", f.loadA, f.loadB), list("c", 0, f.sums))
	for i := range f.sums {
		fmt.Fprintf(&text, "st.global.%s [%%rd3+%d], %%c%d;\n", sumRegister(f), 32+sumBytes(f)*i, i)
	}
	return text.String() + "ret;\n}\n"
}

func sumRegister(f *fragments) string {
	if f.sum == "f64" {
		return "f64"
	}
	return "b32"
}

func sumBytes(f *fragments) int { return f.outBytes * f.outPacked }

func (f fragments) test(t *testing.T) {
	l, memory := warp(t, f.multiplication(), 32, 64*32)
	number := func(i, j int) float64 { return float64((i*7+j*5)%16)/8 - 0.875 }
	store := func(at int, x uint64, bits int) {
		for n := range bits / 8 {
			memory.bytes[at+n] = byte(x >> (8 * n))
		}
	}
	bits, size := 32/f.packed, 4
	if f.register == "f64" {
		bits, size = 64, 8
	}
	for lane := range 32 {
		g, th := lane/4, lane%4
		for r := range f.loadA + f.loadB {
			for e := range f.packed {
				var x float64
				if r < f.loadA {
					row, column := f.a(g, th, r)
					x = number(row, column+e)
				} else {
					row, column := f.b(g, th, r-f.loadA)
					x = number(40+column, row+e)
				}
				store(64*lane+size*r+e*bits/8, f.value(x), bits)
			}
		}
		for r := range f.sums { // C is 1
			one := map[string]uint64{"f32": uint64(math.Float32bits(1)), "f64": math.Float64bits(1), "s32": 1, "f16": 0x3c003c00}[f.sum]
			store(64*lane+32+sumBytes(&f)*r, one, 8*sumBytes(&f))
		}
	}
	if _, err := l.Run(0); err != nil {
		t.Fatal(err)
	}
	scale := 1.0
	if f.sum == "s32" {
		scale = 64
	}
	for lane := range 32 {
		for n := range f.sums * f.outPacked {
			row, column := lane/4+n/2*8, lane%4*2+n%2
			want := 1.0
			for k := range f.depth {
				want += scale * number(row, k) * number(40+column, k)
			}
			at := 64*lane + 32 + f.outBytes*n
			if got := f.out(read(memory.bytes[at : at+f.outBytes])); math.Abs(got-want) > f.tolerance*math.Abs(want)+f.tolerance {
				t.Fatalf("row %d, column %d: %v, want %v", row, column, got, want)
			}
		}
	}
	if i := l.Kernel.Instruction(mmaAt(l)); i.Class != Tensor || i.Cost < 1 {
		t.Errorf("%+v", i)
	}
}

func mmaAt(l *Launch) int {
	for n := range l.Kernel.Size() {
		if strings.HasPrefix(l.Kernel.Instruction(n).Text, "mma") {
			return n
		}
	}
	return -1
}

// Each lane puts 16 bytes into shared memory, one row of a matrix of 8 × 8; a matrix is of eight lanes.
func TestMatricesLoaded(t *testing.T) {
	for mode, at := range map[string]func(row, column int) int{
		"":       func(row, column int) int { return 8*row + column },
		".trans": func(row, column int) int { return 8*column + row },
	} {
		source := `.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
.reg .b32 %r<9>;
.reg .b64 %rd<4>;
.shared .align 16 .b8 s[512];
ld.param.u64 %rd1, [p];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd2, %r1, 16;
add.s64 %rd3, %rd1, %rd2;
shl.b32 %r2, %r1, 4;
mov.u32 %r3, s;
add.s32 %r4, %r3, %r2;
ld.global.v4.b32 {%r5, %r6, %r7, %r8}, [%rd3];
st.shared.v4.b32 [%r4], {%r5, %r6, %r7, %r8};
bar.sync 0;
ldmatrix.sync.aligned.m8n8.x4` + mode + `.shared.b16 {%r5, %r6, %r7, %r8}, [%r4];
st.global.v4.b32 [%rd3], {%r5, %r6, %r7, %r8};
ret;
}
`
		l, memory := warp(t, source, 32, 512)
		for n := range 256 {
			binary.LittleEndian.PutUint16(memory.bytes[2*n:], uint16(n))
		}
		loads := 0
		l.Observe = func(e *Event) {
			if l.Kernel.Instruction(e.At).Class == LoadStore && e.Space == Shared && e.Bytes == 16 && e.Active == math.MaxUint32 {
				loads++
			}
		}
		if _, err := l.Run(0); err != nil {
			t.Fatal(err)
		}
		for lane := range 32 {
			for matrix := range 4 {
				for e := range 2 {
					got := binary.LittleEndian.Uint16(memory.bytes[16*lane+4*matrix+2*e:])
					if want := 64*matrix + at(lane/4, lane%4*2+e); int(got) != want {
						t.Fatalf("%s lane %d, matrix %d, element %d: %d, want %d", mode, lane, matrix, e, got, want)
					}
				}
			}
		}
		if loads != 2 { // the store and ldmatrix
			t.Errorf("%d accesses of 16 bytes of shared memory", loads)
		}
	}
}

// A product that not all lanes take part in is refused, as are shapes and types that are not known.
func TestMatrixRefusals(t *testing.T) {
	good := (&fragments{name: "m16n8k16.row.col.f32.f16.f16.f32", register: "b32", sum: "f32", loadA: 4, loadB: 2, sums: 4, outBytes: 4, outPacked: 1}).multiplication()
	for old, wrong := range map[string]string{"row.col": "col.row", "m16n8k16": "m16n8k12", "f16.f16.f32 ": "f16.bf16.f32 ", "mma.sync": "mma.sp", "f32.f16": "s32.f16", "{%a4, %a5}": "{%a4}"} {
		l, _ := warp(t, strings.Replace(good, old, wrong, 1), 32, 64*32)
		if _, err := l.Run(0); err == nil || !strings.Contains(err.Error(), "mma") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
	l, _ := warp(t, good, 20, 64*32)
	if _, err := l.Run(0); err == nil || !strings.Contains(err.Error(), "20 of 32 lanes") {
		t.Errorf("20 lanes: %v", err)
	}
}

// Comparisons, minima and sums of 16-bit floats, single and in pairs.
func TestHalves(t *testing.T) {
	pair := func(low, high float64) uint64 { return bits16(low) | bits16(high)<<16 }
	b := func(low, high float64) uint64 { return bitsBF16(low) | bitsBF16(high)<<16 }
	for _, c := range []struct {
		text       string
		a, b, want uint64
	}{
		{"set.lt.f16x2.f16x2", pair(1, 2), pair(2, 1), pair(1, 0)},
		{"set.geu.ftz.u32.f16x2", pair(1, math.NaN()), pair(2, 1), 0xffff0000},
		{"set.eq.s32.bf16", b(3, 0), b(3, 1), math.MaxUint32},
		{"min.f16x2", pair(1, math.NaN()), pair(2, 4), pair(1, 4)},
		{"max.bf16x2", b(-1, 0.5), b(-2, 3), b(-1, 3)},
		{"add.bf16", b(1, 0), b(0.001953125, 0), b(1, 0)}, // half of the last bit: to even
		{"abs.f16x2", pair(-1, 2), 0, pair(1, 2)},
		{"fma.rn.bf16x2", b(2, 3), b(4, 5), b(8, 15)},
	} {
		words := strings.Split(c.text, ".")
		i := instruction{text: c.text}
		if err := arithmetic(&i, words[0], words[1:], words[len(words)-1]); err != nil {
			t.Errorf("%s: %v", c.text, err)
		} else if got := i.evaluate(c.a, c.b, 0); got != c.want {
			t.Errorf("%s: %#x, want %#x", c.text, got, c.want)
		}
	}
	i := instruction{pair: true}
	if err := arithmetic(&i, "setp", []string{"gt", "f16x2"}, "f16x2"); err != nil {
		t.Fatal(err)
	}
	if low, high := i.evaluate(pair(2, 1), pair(1, 1), 0), i.second(pair(2, 1), pair(1, 1), 0); low != 1 || high != 0 {
		t.Errorf("setp of a pair: %d, %d", low, high)
	}
}
