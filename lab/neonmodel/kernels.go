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
		{"bench", "example.org/bench/algorithms/qr.applyNEON.abi0", "eight reflections, two columns"},
		{"bench", "example.org/bench/algorithms/qr.dotsNEON.abi0", "eight products, one column of a panel"},
		{"bench", "example.org/bench/algorithms/qr.subtractNEON.abi0", "one reflection, one column of a panel"},
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
	arguments           map[string]any // of a small problem whose elements are all the loop's
}

func scanOf(kind string) map[string]any {
	return map[string]any{"N": 4096, "batch_elements": 16384, "type": kind}
}

func systemsOf(precision string) map[string]any {
	return map[string]any{"N": 64, "batch": 64, "precision": precision}
}

// oneSystem is a system in parts.
func oneSystem(precision string) map[string]any {
	return map[string]any{"N": 33000, "batch": 1, "precision": precision}
}

var elements = []element{
	{"pattern", "shiftNEON", 11, 48, "a shift and an element of the signal", map[string]any{"K": 20, "N": 32, "S": 48, "G": 50}},
	{"bicubic", "sumNEON", 0, 16, "an output element of one direction", map[string]any{"rows": 16, "cols": 64}},
	{"scan", "scanInclusiveNEONF32", 0, 16, "an element, float32", scanOf("f32")},
	{"scan", "scanInclusiveNEONF64", 0, 8, "an element, float64", scanOf("f64")},
	{"scan", "scanInclusiveNEONI32", 0, 16, "an element, int32", scanOf("i32")},
	{"tridiagonal", "eliminateNEONF32", 0, 16, "a row on the way down, float32", systemsOf("f32")},
	{"tridiagonal", "substituteNEONF32", 0, 16, "a row on the way up, float32", systemsOf("f32")},
	{"tridiagonal", "interleaveNEONF32", 0, 16, "a value laid beside other systems', float32", systemsOf("f32")},
	{"tridiagonal", "separateNEONF32", 0, 16, "a value laid beside its system's, float32", systemsOf("f32")},
	{"tridiagonal", "reduceNEONF32", 0, 8, "a row of a part, float32", oneSystem("f32")},
	{"tridiagonal", "eliminateNEONF64", 0, 8, "a row on the way down, float64", systemsOf("f64")},
	{"tridiagonal", "substituteNEONF64", 0, 8, "a row on the way up, float64", systemsOf("f64")},
	{"tridiagonal", "interleaveNEONF64", 0, 8, "a value laid beside other systems', float64", systemsOf("f64")},
	{"tridiagonal", "separateNEONF64", 0, 8, "a value laid beside its system's, float64", systemsOf("f64")},
	{"tridiagonal", "reduceNEONF64", 0, 4, "a row of a part, float64", oneSystem("f64")},
}

func (e element) name() string {
	return fmt.Sprintf("example.org/bench/algorithms/%s.%s.abi0", e.algorithm, e.function)
}

func (e element) loop(code map[string][]instruction) (loop, error) {
	list := loops(code[e.name()])
	if e.index >= len(list) {
		return nil, fmt.Errorf("%s has %d loops", e.name(), len(list))
	}
	return list[e.index], nil
}
