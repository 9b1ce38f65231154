package ptx

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"strings"
	"testing"
)

// text adds its thread's number to each word, and doubles it in odd lanes.
const text = `
.version 7.8
.target sm_53
.address_size 64
.global .align 4 .u32 step = 3;
.visible .entry add(
	.param .u64 add_param_0,
	.param .u32 add_param_1
)
.maxntid 64, 1, 1
{
	.reg .pred %p<3>;
	.reg .b32 %r<8>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [add_param_0];
	ld.param.u32 %r1, [add_param_1];
	mov.u32 %r2, %tid.x;
	setp.ge.u32 %p1, %r2, %r1;
	@%p1 bra $END;
	mul.wide.u32 %rd2, %r2, 4;
	add.s64 %rd3, %rd1, %rd2;
	ld.global.u32 %r3, [%rd3];
	add.s32 %r4, %r3, %r2;
	and.b32 %r5, %r2, 1;
	setp.eq.s32 %p2, %r5, 0;
	@%p2 bra $EVEN;
	shl.b32 %r4, %r4, 1;
$EVEN:
	ld.global.u32 %r6, [step];
	add.s32 %r7, %r4, %r6;
	st.global.u32 [%rd3], %r7;
$END:
	ret;
}
`

type words struct {
	at    uint64
	bytes []byte
}

func (w *words) At(at uint64, n int) []byte {
	if at < w.at || at-w.at+uint64(n) > uint64(len(w.bytes)) {
		return nil
	}
	return w.bytes[at-w.at : at-w.at+uint64(n)]
}

func launch(t *testing.T, source, name string) (*Launch, *words) {
	t.Helper()
	m, err := Parse(source)
	if err != nil {
		t.Fatal(err)
	}
	memory := &words{at: 4096, bytes: make([]byte, 1024)}
	if err := m.Place(func(init []byte, n int) (uint64, error) {
		copy(memory.bytes[512:], init)
		return 4096 + 512, nil
	}); err != nil {
		t.Fatal(err)
	}
	k := m.Kernel(name)
	if k == nil {
		t.Fatalf("no kernel %s", name)
	}
	return &Launch{Kernel: k, Grid: Dim3{1, 1, 1}, Block: Dim3{64, 1, 1}, Memory: memory, Limit: 10000}, memory
}

func TestExecution(t *testing.T) {
	l, memory := launch(t, text, "add")
	args, err := l.Kernel.Arguments([][]byte{binary.LittleEndian.AppendUint64(nil, 4096), binary.LittleEndian.AppendUint32(nil, 50)})
	if err != nil {
		t.Fatal(err)
	}
	l.Arguments = args
	for i := range 64 {
		binary.LittleEndian.PutUint32(memory.bytes[4*i:], uint32(100*i))
	}
	parted, most := 0, 0
	l.Observe = func(e *Event) {
		if e.Parted {
			parted++
		}
		if l.Kernel.Instruction(e.At).Text == "shl.b32" {
			most = max(most, bits.OnesCount32(e.Active))
			if e.Active&0x55555555 != 0 {
				t.Errorf("warp %d doubles in lanes %#x", e.Warp, e.Active)
			}
		}
	}
	if _, err := l.Run(0); err != nil {
		t.Fatal(err)
	}
	for i := range uint32(64) {
		want := 100 * i
		if i < 50 {
			want += i
			if i%2 == 1 {
				want *= 2
			}
			want += 3
		}
		if got := binary.LittleEndian.Uint32(memory.bytes[4*i:]); got != want {
			t.Errorf("word %d: %d, want %d", i, got, want)
		}
	}
	if parted != 1 || most != 16 { // the second warp by its end: one shift is executed under a predicate
		t.Errorf("lanes parted %d times", parted)
	}
}

// Around a few instructions compilers make no branch: a warp that skips them issues them
// for no lane.
func TestShortPartsUnderAPredicate(t *testing.T) {
	for shifts, want := range map[int]int{1: 1, mostPredicatedOthers: mostPredicatedOthers, mostPredicatedOthers + 1: 0} {
		source := strings.Replace(text, "and.b32 %r5, %r2, 1;", "and.b32 %r5, %r2, 32;", 1) // the first warp skips them
		source = strings.Replace(source, "shl.b32 %r4, %r4, 1;", strings.Repeat("shl.b32 %r4, %r4, 1;\n", shifts), 1)
		l, memory := launch(t, source, "add")
		args, err := l.Kernel.Arguments([][]byte{binary.LittleEndian.AppendUint64(nil, 4096), binary.LittleEndian.AppendUint32(nil, 64)})
		if err != nil {
			t.Fatal(err)
		}
		l.Arguments = args
		skipped, executed, branches := 0, 0, 0
		l.Observe = func(e *Event) {
			switch i := l.Kernel.Instruction(e.At); {
			case i.Text == "shl.b32" && e.Active == 0:
				skipped++
			case i.Text == "shl.b32":
				executed++
			case i.Branch && i.Class == Control:
				branches++
			}
		}
		if _, err := l.Run(0); err != nil {
			t.Fatal(err)
		}
		wantBranches := 2 // around all, of each warp
		if want == 0 {
			wantBranches = 4
		}
		if skipped != want || executed != shifts || branches != wantBranches {
			t.Errorf("%d shifts: %d skipped, %d executed, %d branches; want %d, %d, %d", shifts, skipped, executed, branches, want, shifts, wantBranches)
		}
		if got, want := binary.LittleEndian.Uint32(memory.bytes), uint32(3); got != want {
			t.Errorf("word 0: %d, want %d", got, want)
		}
		if got, want := binary.LittleEndian.Uint32(memory.bytes[4*32:]), uint32(32)<<shifts+3; got != want {
			t.Errorf("word 32: %d, want %d", got, want)
		}
	}
}

// What is not known is refused by name, and what is outside says where.
func TestRefusals(t *testing.T) {
	l, _ := launch(t, strings.Replace(text, "shl.b32", "frobnicate.b32", 1), "add")
	if _, err := l.Run(0); err == nil || !strings.Contains(err.Error(), "frobnicate.b32 (line ") {
		t.Errorf("%v", err)
	}
	l, _ = launch(t, text, "add")
	l.Arguments = append(make([]byte, 8), 64, 0, 0, 0)
	if _, err := l.Run(0); err == nil || !strings.Contains(err.Error(), "accesses 4 bytes of global memory at 0x0, where nothing is") {
		t.Errorf("%v", err)
	}
	l, _ = launch(t, strings.Replace(text, "$END:\n\tret;", "$END:\n\tbra.uni $END;", 1), "add")
	l.Arguments = make([]byte, 12)
	if _, err := l.Run(0); !errors.Is(err, ErrLimit) {
		t.Errorf("an endless loop: %v", err)
	}
	if _, err := l.Kernel.Arguments([][]byte{{1}}); err == nil || !strings.Contains(err.Error(), "1 argument, it takes 2") {
		t.Errorf("%v", err)
	}
}

// Any text is read or refused, and does not end the program.
func FuzzParse(f *testing.F) {
	f.Add(text)
	for n := 0; n < len(text); n += 37 {
		f.Add(text[:n])
		f.Add(text[n:])
	}
	f.Fuzz(func(t *testing.T, source string) {
		m, err := Parse(source)
		if (m == nil) != (err != nil) {
			t.Errorf("%v, %v", m, err)
		}
	})
}

// A division of integers is of several kinds of instructions, which add up to its cost.
func TestDivisions(t *testing.T) {
	for _, op := range []string{"div.u32", "rem.u32", "div.s32", "rem.s64", "div.u64"} {
		wide := strings.Contains(op, "64")
		registers := "%r3, %r3, %r1"
		if wide {
			registers = "%rd3, %rd3, %rd1"
		}
		l, _ := launch(t, strings.Replace(text, "$EVEN:\n", "$EVEN:\n\t"+op+" "+registers+";\n", 1), "add")
		var i *Instruction
		for at := range l.Kernel.Size() {
			if x := l.Kernel.Instruction(at); strings.HasPrefix(x.Text, op) {
				i = x
			}
		}
		if i == nil {
			t.Fatalf("no %s", op)
		}
		sum, own := 0, false
		for _, p := range i.Parts {
			sum += p.Count
			own = own || p.Class == i.Class
		}
		if sum != i.Cost || !own || len(i.Parts) != 4 || wide != (sum > 40) {
			t.Errorf("%s: %+v of %d", op, i.Parts, i.Cost)
		}
	}
}

// A float's sign belongs to the operand of what computes with it, which no instruction sets; an integer's takes one.
func TestSignsOfFloatsAreFree(t *testing.T) {
	m, err := Parse(`
.version 7.8
.target sm_53
.address_size 64
.visible .entry k()
{
	.reg .f32 %f<3>;
	.reg .f64 %d<3>;
	.reg .b32 %r<3>;
	neg.f32 %f1, %f2;
	abs.ftz.f32 %f1, %f2;
	abs.f64 %d1, %d2;
	neg.s32 %r1, %r2;
	ret;
}
`)
	if err != nil {
		t.Fatal(err)
	}
	k := m.Kernel("k")
	for n := range 4 {
		want := 0
		i := k.Instruction(n)
		if i.Text == "neg.s32" {
			want = 1
		}
		if i.Cost != want {
			t.Errorf("%s: %d instructions, want %d", i.Text, i.Cost, want)
		}
	}
}
