package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const listing = `
0000000000001000 <outer.abi0>:
    1000:      	mov	x0, x1
    1004:      	adrp	x2, 0x5000 <somewhere+0x10>
    1008:      	ldr	q0, [x0], #16           // =0x10
    100c:      	fmla	v1.4s, v0.4s, v2.s[1]
    1010:      	fmadd	s3, s0, s1, s2
    1014:      	subs	x3, x3, #0x1
    1018:      	b.ne	0x1008 <outer.abi0+0x8>
    101c:      	cbnz	x4, 0x1004 <outer.abi0+0x4>
    1020:      	b	0x2000 <other>
    1024:      	ret
`

func TestLoops(t *testing.T) {
	code := functions([]byte(listing))["outer.abi0"]
	list := loops(code)
	if len(code) != 10 || len(list) != 2 || len(list[0]) != 5 || len(list[1]) != 7 {
		t.Fatalf("%d instructions, loops %v", len(code), list)
	}
	if n := list[0].multiplyAdds(); n != 5 {
		t.Errorf("%d multiply-adds, want 4 of a vector and 1", n)
	}
	if l := longest(code); len(l) != 7 {
		t.Errorf("longest loop has %d instructions", len(l))
	}
	// As an assembler takes them.
	for i, want := range map[int]string{1: "adrp x2, #0", 2: "ldr q0, [x0], #16", 6: "b.ne #4"} {
		if code[i].text != want {
			t.Errorf("instruction %d is %q, want %q", i, code[i].text, want)
		}
	}
}

// stub is an llvm-mca whose iteration takes as many cycles as it has instructions,
// after 7 to fill the core.
func stub(t *testing.T) *model {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mca")
	script := "#!/bin/sh\nlines=$(wc -l)\nfor a in \"$@\"; do case $a in -iterations=*) n=${a#-iterations=};; esac; done\n" +
		"echo \"Total Cycles:      $((7 + lines * n))\"\necho \"Block RThroughput: 2.5\"\n"
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return &model{program: path, core: "cortex-a57", name: "stub"}
}

func TestModelReadsCycles(t *testing.T) {
	m := stub(t)
	code := functions([]byte(listing))["outer.abi0"]
	l := loops(code)[0]
	if c, err := m.cycles(l); err != nil || c != 5 {
		t.Errorf("%g cycles, %v; want 5", c, err)
	}
	if c, err := m.least(l); err != nil || c != 2.5 {
		t.Errorf("%g cycles at least, %v; want 2.5", c, err)
	}
	if c, err := m.between(code); err != nil || c != 7+2 { // all but the loops and ret
		t.Errorf("%g cycles between, %v; want 9", c, err)
	}
	if _, err := (&model{program: "/nowhere"}).cycles(l); err == nil {
		t.Error("no error without llvm-mca")
	}
}

// The least plan of codelets that cost as many cycles as they have instructions.
func TestLeastPlan(t *testing.T) {
	codelet := func(n int) []instruction {
		code := slices.Repeat([]instruction{{text: "nop", target: -1}}, n)
		for i := range code {
			code[i].address = int64(4 * i)
		}
		code[n-1].target = 0
		return code
	}
	f := &fftw{lanes: 2, code: map[string][]instruction{
		"n1fv_8": codelet(16), "n1fv_64": codelet(640), "t1fv_8": codelet(32), "t2fv_8": codelet(48),
	}}
	c, err := f.least(stub(t), 64)
	if err != nil || c.cycles != 16.0/16+32.0/16 {
		t.Errorf("%v, %v; want radix 8 twice, 3 cycles an element", c, err)
	}
}

func TestPasses(t *testing.T) {
	for n, want := range map[int][]int{64: {8}, 128: {2, 8}, 256: {4, 8}, 512: {8, 8}, 16: {2}, 32: {4}} {
		if got := passes(n); !slices.Equal(got, want) {
			t.Errorf("%d: passes %v, want %v", n, got, want)
		}
	}
}

// What an outer loop adds is shared among the inner one's iterations.
func TestNestedLoops(t *testing.T) {
	s := &stockham{suffix: "F32", code: map[string][]instruction{
		"example.org/bench/algorithms/fft.pass8NEONF32.abi0": functions([]byte(listing))["outer.abi0"]}}
	c, err := s.kernel(stub(t), "pass8", 1, 4)
	if want := 5 + (7-5)/4.0; err != nil || c.cycles != want || c.instructions != want {
		t.Errorf("%v, %v; want %g cycles and instructions", c, err, want)
	}
}

func TestMissingKernelIsAnError(t *testing.T) {
	_, err := (&stockham{suffix: "F32", lanes: 4}).transform(stub(t), 64)
	if err == nil || !strings.Contains(err.Error(), "gather8NEONF32") {
		t.Errorf("error %v", err)
	}
}
