package ptx

import (
	"encoding/binary"
	"strings"
	"testing"
)

// counting sums the words from the thread's own on, a step of 32 words each, as many as its lane says and one.
const counting = `
.version 7.8
.target sm_53
.address_size 64
.visible .entry k(.param .u64 k_param_0)
{
	.reg .pred %p<2>;
	.reg .b32 %r<8>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [k_param_0];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd2, %rd1, %rd2;
	mov.u64 %rd3, %rd2;
	mov.u32 %r2, 0;
	mov.u32 %r3, 0;
	mov.u32 %r6, 0;
$L:
	ld.global.u32 %r4, [%rd2];
	add.s32 %r3, %r3, %r4;
	add.s32 %r5, %r2, 100;
	xor.b32 %r6, %r6, %r5;
	add.s64 %rd2, %rd2, 128;
	add.s32 %r2, %r2, 1;
	setp.le.s32 %p1, %r2, %r1;
	@%p1 bra $L;
	add.s32 %r3, %r3, %r6;
	add.s32 %r3, %r3, %r2;
	st.global.u32 [%rd3], %r3;
	ret;
}
`

// A loop that counts gives the same however often it is gone through, with four loads, then two, on their way
// at once; one that must not be unrolled has one.
func TestCountedLoopsAreUnrolled(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
	}{
		{counting, 4},
		{strings.Replace(counting, "$L:\n", "$L:\n	.pragma \"nounroll\";\n", 1), 1},
		{strings.Replace(counting, "add.s32 %r2, %r2, 1;", "add.s32 %r2, %r2, 1;\n	bar.warp.sync 0xffffffff;", 1), 1},
	} {
		m, err := Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		w := &words{at: 1 << 32, bytes: make([]byte, 4*32*33)}
		for n := range 32 * 33 {
			binary.LittleEndian.PutUint32(w.bytes[4*n:], uint32(n*n))
		}
		want := make([]uint32, 32)
		for lane := range uint32(32) {
			x := uint32(0)
			for k := range lane + 1 {
				n := lane + 32*k
				want[lane] += n * n
				x ^= 100 + k
			}
			want[lane] += x + lane + 1
		}
		k := m.Kernel("k")
		arguments, err := k.Arguments([][]byte{binary.LittleEndian.AppendUint64(nil, w.at)})
		if err != nil {
			t.Fatal(err)
		}
		most, waiting := 0, map[int32]bool{} // registers of loads that nothing has read
		l := &Launch{Kernel: k, Grid: Dim3{1, 1, 1}, Block: Dim3{32, 1, 1}, Arguments: arguments, Memory: w, Limit: 1e6, Observe: func(e *Event) {
			i := k.Instruction(e.At)
			for _, r := range i.Reads {
				delete(waiting, r)
			}
			if e.Space == Global && !i.Store {
				waiting[i.Writes[0]] = true
			}
			most = max(most, len(waiting))
		}}
		if _, err := l.Run(0); err != nil {
			t.Fatal(err)
		}
		if most != c.most {
			t.Errorf("%d loads are on their way at once, want %d", most, c.most)
		}
		for lane, want := range want {
			if got := binary.LittleEndian.Uint32(w.bytes[4*lane:]); got != want {
				t.Errorf("lane %d: %d, want %d", lane, got, want)
			}
		}
	}
}
