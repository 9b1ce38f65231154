package main

import (
	"fmt"
	"strings"
	"testing"
)

// assembled is what LLVM's assembler makes of the comments (llvm-mc
// -triple=aarch64 -show-encoding).
const assembled = `
0x4E3FD441 FADD V1.4S, V2.4S, V31.4S
0x4E67D41F FADD V31.2D, V0.2D, V7.2D
0x4EA5D7C3 FSUB V3.4S, V30.4S, V5.4S
0x4EE5D7C3 FSUB V3.2D, V30.2D, V5.2D
0x6E2ADD28 FMUL V8.4S, V9.4S, V10.4S
0x6E6ADD28 FMUL V8.2D, V9.2D, V10.2D
0x6E2DFD8B FDIV V11.4S, V12.4S, V13.4S
0x6E6DFD8B FDIV V11.2D, V12.2D, V13.2D
0x4EB0F5EE FMIN V14.4S, V15.4S, V16.4S
0x6EB0F5EE FMINP V14.4S, V15.4S, V16.4S
0x6E33D651 FADDP V17.4S, V18.4S, V19.4S
0x6E73D651 FADDP V17.2D, V18.2D, V19.2D
0x4E36E6B4 FCMEQ V20.4S, V21.4S, V22.4S
0x4F999317 FMUL V23.4S, V24.4S, V25.S[0]
0x4FB99B17 FMUL V23.4S, V24.4S, V25.S[3]
0x4FD99B17 FMUL V23.2D, V24.2D, V25.D[1]
0x4FBC137A FMLA V26.4S, V27.4S, V28.S[1]
0x4FDC137A FMLA V26.2D, V27.2D, V28.D[0]
0x4F9F5BDD FMLS V29.4S, V30.4S, V31.S[2]
0x4FDF5BDD FMLS V29.2D, V30.2D, V31.D[1]
0x4E3FFC41 FRECPS V1.4S, V2.4S, V31.4S
0x4E67FC1F FRECPS V31.2D, V0.2D, V7.2D
0x6EA0F841 FNEG V1.4S, V2.4S
0x6EE0F841 FNEG V1.2D, V2.2D
0x4EA1D841 FRECPE V1.4S, V2.4S
0x4EE1D85E FRECPE V30.2D, V2.2D
`

func TestEncoding(t *testing.T) {
	seen := map[string]bool{}
	for line := range strings.Lines(strings.TrimSpace(assembled)) {
		code, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		op, operands, _ := strings.Cut(text, " ")
		seen[op] = true
		a := s4
		if strings.Contains(operands, "2D") {
			a = d2
		}
		var r [3]int
		lane := 0
		for i, o := range strings.Split(operands, ", ") {
			if _, err := fmt.Sscanf(o, "V%d", &r[i]); err != nil {
				t.Fatal(err)
			}
			if _, index, ok := strings.Cut(o, "["); ok {
				fmt.Sscanf(index, "%d", &lane)
			}
		}
		var got string
		switch {
		case strings.Contains(operands, "["):
			got = encodeElement(op, a, r[0], r[1], r[2], lane)
		case strings.Count(operands, ",") == 1:
			got = encode2(op, a, r[0], r[1])
		default:
			got = encode3(op, a, r[0], r[1], r[2])
		}
		if want := fmt.Sprintf("WORD $%s // %s", code, text); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for _, list := range []map[string]uint32{threeSame, byElement, twoRegisters} {
		for op := range list {
			if !seen[op] {
				t.Errorf("no encoding of %s is known", op)
			}
		}
	}
}
