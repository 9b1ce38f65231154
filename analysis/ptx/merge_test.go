package ptx

import (
	"encoding/binary"
	"strings"
	"testing"
)

// adjacent sums four words of shared memory from an address that is a multiple of 16, and two from one that is
// a multiple of 8.
const adjacent = `
.version 7.8
.target sm_53
.address_size 64
.visible .entry k(.param .u64 k_param_0)
{
	.reg .b32 %r<16>;
	.reg .b64 %rd<3>;
	.shared .align 4 .b8 table[512];
	ld.param.u64 %rd1, [k_param_0];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, table;
	shl.b32 %r3, %r1, 2;
	add.s32 %r4, %r2, %r3;
	st.shared.u32 [%r4], %r1;
	bar.sync 0;
	and.b32 %r5, %r1, 1;
	mad.lo.s32 %r6, %r5, 16, %r2;
	ld.shared.u32 %r7, [%r6];
	ld.shared.u32 %r9, [%r6+8];
	ld.shared.u32 %r8, [%r6+4];
	ld.shared.u32 %r10, [%r6+12];
	add.s32 %r11, %r7, %r8;
	add.s32 %r12, %r9, %r10;
	add.s32 %r13, %r11, %r12;
	mad.lo.s32 %r14, %r5, 8, %r2;
	ld.shared.u32 %r15, [%r14+16];
	add.s32 %r13, %r13, %r15;
	ld.shared.u32 %r15, [%r14+20];
	add.s32 %r13, %r13, %r15;
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd2, %rd1, %rd2;
	st.global.u32 [%rd2], %r13;
	ret;
}
`

func TestAdjacentLoadsAreMerged(t *testing.T) {
	for _, c := range []struct {
		from, to string
		loads    int
		sum      func(odd uint32) uint32 // of the numbers that lie there
	}{
		{"", "", 3, func(odd uint32) uint32 { return 6 + 16*odd + 9 + 4*odd }}, // the second pair uses one register
		{"%r15, [%r14+20];\n	add.s32 %r13, %r13, %r15", "%r9, [%r14+20];\n	add.s32 %r13, %r13, %r9", 2, func(odd uint32) uint32 { return 6 + 16*odd + 9 + 4*odd }},
		{"%r5, 16, %r2", "%r5, 4, %r2", 6, func(odd uint32) uint32 { return 6 + 4*odd + 9 + 4*odd }}, // of unknown alignment
		{"	ld.shared.u32 %r8", "	st.shared.u32 [%r4], %r1;\n	ld.shared.u32 %r8", 6, func(odd uint32) uint32 { return 6 + 16*odd + 9 + 4*odd }},
	} {
		m, err := Parse(strings.Replace(adjacent, c.from, c.to, 1))
		if err != nil {
			t.Fatal(err)
		}
		w := &words{at: 1 << 32, bytes: make([]byte, 4*32)}
		k := m.Kernel("k")
		arguments, err := k.Arguments([][]byte{binary.LittleEndian.AppendUint64(nil, w.at)})
		if err != nil {
			t.Fatal(err)
		}
		loads := 0
		l := &Launch{Kernel: k, Grid: Dim3{1, 1, 1}, Block: Dim3{32, 1, 1}, Arguments: arguments, Memory: w, Limit: 1e6, Observe: func(e *Event) {
			if i := k.Instruction(e.At); e.Space == Shared && !i.Store {
				loads++
			}
		}}
		if _, err := l.Run(0); err != nil {
			t.Fatal(err)
		}
		if loads != c.loads {
			t.Errorf("%s: %d loads, want %d", c.to, loads, c.loads)
		}
		for i := range uint32(32) {
			if got := binary.LittleEndian.Uint32(w.bytes[4*i:]); got != c.sum(i%2) {
				t.Errorf("%s, thread %d: %d, want %d", c.to, i, got, c.sum(i%2))
			}
		}
	}
}
