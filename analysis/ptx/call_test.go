package ptx

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
)

// called squares a word twice by a function that is defined behind the kernel and returns early for odd words,
// and adds the carry of a sum.
const called = `
.version 7.8
.target sm_53
.address_size 64
.func (.param .b32 result) square (.param .b32 of);
.extern .func (.param .b32 status) vprintf (.param .b64 format, .param .b64 list);
.visible .entry k(.param .u64 k_param_0)
{
	.reg .pred %p<2>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [k_param_0];
	mov.u32 %r1, %tid.x;
	{
	.param .b32 param0;
	st.param.b32 [param0+0], %r1;
	.param .b32 retval0;
	call.uni (retval0), square, (param0);
	ld.param.b32 %r2, [retval0+0];
	}
	setp.gt.u32 %p1, %r1, 9;
	{
	.param .b32 param0;
	st.param.b32 [param0+0], %r2;
	.param .b32 retval0;
	@%p1 call (retval0), square, (param0);
	@%p1 ld.param.b32 %r2, [retval0+0];
	}
	add.cc.u32 %r3, %r2, -16;
	addc.u32 %r4, %r2, 0;
	bar.red.popc.u32 %r5, 0, %p1;
	mad.lo.u32 %r6, %r5, 1000, %r4;
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd2, %rd1, %rd2;
	st.global.u32 [%rd2], %r6;
	ret;
}
.func (.param .b32 result) square (.param .b32 of)
{
	.reg .pred %p<2>;
	.reg .b32 %r<4>;
	ld.param.u32 %r1, [of];
	st.param.b32 [result+0], %r1;
	and.b32 %r2, %r1, 1;
	setp.ne.u32 %p1, %r2, 0;
	@%p1 ret;
	mul.lo.s32 %r3, %r1, %r1;
	st.param.b32 [result+0], %r3;
	ret;
}
`

func TestCalledFunctions(t *testing.T) {
	m, err := Parse(called)
	if err != nil {
		t.Fatal(err)
	}
	w := &words{at: 1 << 32, bytes: make([]byte, 4*64)}
	k := m.Kernel("k")
	arguments, err := k.Arguments([][]byte{binary.LittleEndian.AppendUint64(nil, w.at)})
	if err != nil {
		t.Fatal(err)
	}
	l := &Launch{Kernel: k, Grid: Dim3{1, 1, 1}, Block: Dim3{64, 1, 1}, Arguments: arguments, Memory: w, Limit: 1e6}
	if _, err := l.Run(0); err != nil {
		t.Fatal(err)
	}
	square := func(x uint32) uint32 {
		if x%2 == 0 {
			return x * x
		}
		return x
	}
	for i := range uint32(64) {
		want := square(i)
		if i > 9 {
			want = square(want)
		}
		if want >= 16 {
			want++ // the carry
		}
		if got := binary.LittleEndian.Uint32(w.bytes[4*i:]); got != want+54*1000 {
			t.Errorf("thread %d: %d, want %d", i, got, want+54*1000)
		}
	}
}

// What is not executed is said, where it is called and only then.
func TestCallsThatAreRefused(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"call.uni (retval0), square,", "call.uni (retval0), other,", "a call by a pointer (line 18)"},
		{".func (.param .b32 result) square (.param .b32 of)\n{", ".func (.param .b32 result) square (.param .b32 of)\n;.func other\n{", "a call of square (line 18)"},
		{"	ld.param.u32 %r1, [of];\n", "	ld.param.u32 %r1, [of];\n	call (result), square, (of);\n", "recursion of square (line 43)"},
		{"square, (param0);\n	ld", "square, (param0, param0);\n	ld", "a call of square with other parameters than it has (line 18)"},
	} {
		text := strings.Replace(called, c.from, c.to, 1)
		m, err := Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", c.to, err)
		}
		if err := m.Kernel("k").Unknown(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// Calls of functions that call others, each more than once, end.
func TestTooManyCalls(t *testing.T) {
	var b strings.Builder
	b.WriteString(".version 7.8\n.target sm_53\n.func f0() { ret; }\n")
	for n := range 30 {
		fmt.Fprintf(&b, ".func f%d() { call f%d, (); call f%d, (); ret; }\n", n+1, n, n)
	}
	b.WriteString(".visible .entry k() { call f30, (); ret; }\n")
	m, err := Parse(b.String())
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Kernel("k").Unknown(); err == nil || !strings.Contains(err.Error(), "too many calls (line ") {
		t.Errorf("%v", err)
	}
}
