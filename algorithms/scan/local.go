package scan

import (
	_ "embed"
	"errors"
	"fmt"
	"strconv"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
)

//go:embed block.cl
var localText string

// anyLength names the version that takes sequences of any length.
func anyLength(facts gpu.Facts) string {
	if facts.OpenCL != nil {
		return "passes"
	}
	return "lookback"
}

// doubles refuses sums in double precision where a device has none.
func doubles(s shape, facts gpu.Facts) error {
	if s.Type == "f64" && !facts.Doubles() {
		return errors.New("type f64: the device has no double precision (cl_khr_fp64)")
	}
	return nil
}

// localShape is P elements for each of L work-items, by accesses of vector elements.
type localShape struct{ p, l, vector int }

func localShapeOf(s shape, v framework.Values) localShape {
	p := max(1, int(v.Int("P")))
	return localShape{p, int(v.Int("L")), min(p, int(vectorBytes/s.Bytes))}
}

// board returns how many elements lie in local memory: a sum of each vector.
func (x localShape) board() int { return x.p / x.vector * x.l }

// localDefaults returns 8 elements of 4 bytes or 4 of 8 bytes for each of at least 128 work-items, and more where these
// become over 256.
func localDefaults(s shape, facts gpu.Facts) framework.Values {
	most := min(256, powerWithin(max(1, facts.MaxThreadsBlock)))
	p := max(8*4/int(s.Bytes), s.N/most)
	l := max(min(128, most), s.N/p)
	x := localShape{p, l, min(p, int(vectorBytes/s.Bytes))}
	return framework.IntValues("S", x.board(), "P", p, "L", l, "BLOCKS", 1, "STREAM", 0)
}

// powerWithin returns the largest power of two up to n, which is above zero.
func powerWithin(n int) int { return 1 << log2(n) }

// localLimits refuses work-groups that a device of OpenCL cannot run.
func localLimits(s shape, v framework.Values, elements int, facts gpu.Facts) error {
	p, l := int(v.Int("P")), int(v.Int("L"))
	switch {
	case !framework.IsPowerOfTwo(p) || !framework.IsPowerOfTwo(l):
		return fmt.Errorf("P = %d, L = %d: want powers of two", p, l)
	case l > facts.MaxThreadsBlock:
		return fmt.Errorf("L = %d work-items; the device allows %d in a work-group", l, facts.MaxThreadsBlock)
	case int64(elements)*s.Bytes > int64(facts.SharedPerBlock):
		return fmt.Errorf("P = %d and L = %d take %d bytes of local memory; the device has %d", p, l, int64(elements)*s.Bytes, facts.SharedPerBlock)
	}
	return nil
}

func localValid(s shape, v framework.Values, facts gpu.Facts) error {
	x := localShapeOf(s, v)
	if err := localLimits(s, v, x.board(), facts); err != nil {
		return err
	}
	switch {
	case x.p*x.l < s.N:
		return fmt.Errorf("P·L = %s per work-group are less than N = %d", terminal.Count(x.p*x.l, "element"), s.N)
	case int(v.Int("S")) != x.board():
		return fmt.Errorf("S = %d: one element for each of the work-group's vectors of %d are %d", v.Int("S"), x.vector, x.board())
	case v.Int("BLOCKS") != 1 || v.Int("STREAM") != 0:
		return fmt.Errorf("BLOCKS = %d, STREAM = %d: OpenCL has no such hints; want 1 and 0", v.Int("BLOCKS"), v.Int("STREAM"))
	}
	return nil
}

// exchangeAdditions returns the additions of function exchange for each group of width work-items.
func exchangeAdditions(width, pattern int) int {
	if pattern == koggeStone {
		return width*log2(width) - (width - 1)
	}
	return width / 2 * log2(width)
}

// localPlan is versions lf and ks in OpenCL C.
func localPlan(s shape, v framework.Values, pattern int) gpuPlan {
	x := localShapeOf(s, v)
	d := defines(s, x.vector, v, pattern, "P", "L")
	d["N"] = strconv.Itoa(s.N)
	vectors := s.N / x.vector
	width := min(vectors, x.l)
	rows := vectors / width // of a sequence
	additions := vectors*(x.vector-1) + rows*exchangeAdditions(width, pattern) + s.N
	chain := x.vector - 1 + log2(width) + 1
	if s.Exclusive {
		additions -= vectors // a vector's first element is the sum before it
	}
	if rows > 1 {
		additions += 2 * vectors
		chain += rows
	}
	groups := (s.elements() + x.p*x.l - 1) / (x.p * x.l)
	return gpuPlan{
		source: gpu.Source{Name: "block.cl", Text: localText, Defines: d, Kernels: []string{"scan"}},
		shape:  gpu.Launch{Grid: gpu.Dim3{X: groups}, Block: gpu.Dim3{X: x.l}},
		chain:  float64(chain),
		work: func(int) framework.Work {
			return framework.Work{FLOPs: int64(additions) * int64(s.Batch), LoadBytes: s.bytes(), StoreBytes: s.bytes()}
		},
		arguments: []any{int64(s.elements())},
	}
}
