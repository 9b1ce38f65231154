package main

import (
	"fmt"
	"strings"
)

// multiplyAdds is how many a loop has, lanes counted.
func (l loop) multiplyAdds() int {
	n := 0
	for _, i := range l {
		op, rest, _ := strings.Cut(i.text, " ")
		switch {
		case op != "fmla" && op != "fmls" && op != "fmadd" && op != "fmsub":
		case strings.Contains(rest, ".4s"):
			n += 4
		case strings.Contains(rest, ".2s"), strings.Contains(rest, ".2d"):
			n += 2
		default:
			n++
		}
	}
	return n
}

// best is the least cycles of a multiply-add among a function's loops: the one
// where it spends its time on long columns. cost is of a loop's iteration.
func best(code []instruction, cost func(loop) (float64, error)) (cycles float64, found bool, err error) {
	for _, l := range loops(code) {
		n := l.multiplyAdds()
		if n == 0 {
			continue
		}
		c, err := cost(l)
		if err != nil {
			return 0, false, err
		}
		if c /= float64(n); !found || c < cycles {
			cycles, found = c, true
		}
	}
	return cycles, found, nil
}

// qrLine is a function that QR spends its time in.
type qrLine struct{ who, name, what string }

// qrLines are ours and OpenBLAS's. core is how OpenBLAS calls the core's kernels.
func qrLines(core string) []qrLine {
	return []qrLine{
		{"bench", "bench/algorithms/qr.applyNEON.abi0", "eight reflections, two columns"},
		{"bench", "bench/algorithms/qr.dotsNEON.abi0", "eight products, one column of a panel"},
		{"bench", "bench/algorithms/qr.subtractNEON.abi0", "one reflection, one column of a panel"},
		{"OpenBLAS", "sgemv_t_" + core, "sgeqr2: products of a reflection with all columns"},
		{"OpenBLAS", "saxpy_k_" + core, "sgeqr2, sger: the reflection taken from a column"},
		{"OpenBLAS", "sgemm_kernel_" + core, "sgeqrf beyond 128 columns: blocks of 32 reflections"},
	}
}

// unblocked is LAPACK's cycles of QR and Q of an n·n matrix with sgeqr2 and
// sorg2r: half of the multiply-adds are products, half are subtracted.
func unblocked(n int, products, subtract float64) float64 {
	return (products + subtract) * float64(reflected(n))
}

// reflected is the pairs of an element and a reflection that is applied to it, for
// R and for Q.
func reflected(n int) (sum int) {
	for k := range n {
		sum += (n - k) * (n - k - 1) // R
		sum += (n - k) * (n - k)     // Q
	}
	return sum
}

// panelled is ours: panels of eight, whose own columns are products and
// subtractions one by one, and pairs of other columns; each pair also costs
// what stands between the loops.
func panelled(n int, apply, dots, subtract, pair float64) (cycles float64) {
	for first := 0; first < n; first += 8 {
		length := float64(n - first)
		columns := float64(n-first-8) + length
		cycles += columns*length*8*2*apply + columns/2*pair
		for k := range 8 {
			rows := length - float64(k)
			cycles += rows*8*dots + rows*float64(7-k)*subtract
		}
	}
	return cycles
}

// element is a loop of one of the other algorithms, by what it works on.
type element struct {
	algorithm, function string
	index               int // of the function's loops
	per                 int
	what                string
}

var elements = []element{
	{"pattern", "shiftNEON", 11, 48, "a shift and an element of the signal"},
	{"bicubic", "sumNEON", 0, 16, "an output element of one direction"},
	{"scan", "scanInclusiveNEONF32", 0, 16, "an element, float32"},
	{"scan", "scanInclusiveNEONF64", 0, 8, "an element, float64"},
	{"scan", "scanInclusiveNEONI32", 0, 16, "an element, int32"},
}

func (e element) loop(code map[string][]instruction) (loop, error) {
	name := fmt.Sprintf("bench/algorithms/%s.%s.abi0", e.algorithm, e.function)
	list := loops(code[name])
	if e.index >= len(list) {
		return nil, fmt.Errorf("%s has %d loops", name, len(list))
	}
	return list[e.index], nil
}
