package scan

import (
	"fmt"
	"math"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/framework/inputs"
)

// One element missing or counted twice, in one sum or from some element on, two
// exchanged, a sum not written: each is refused, with the chain of the version
// that has the longest.
func TestCompareRefuses(t *testing.T) {
	refuses[float32, float64](t, "f32")
	refuses[float64, float64](t, "f64")
	refuses[int32, int32](t, "i32")
}

func refuses[T element, A carry](t *testing.T, kind string) {
	for _, n := range []int64{1, 2, 64, 4096, 1 << 18} {
		for _, mode := range []string{"inclusive", "exclusive"} {
			batch := max(3, 4096/n)
			p := testProblem(t, setting(n, batch, kind, mode)).(*problem[T])
			var k *vectorKernels
			if ks := kernelsFor[T](); len(ks) > 0 {
				k = ks[len(ks)-1] // the shortest vectors make the longest chain
			}
			c := newChunked[T, A](p.shape, k, 1, chunkKiB<<10, pieceKiB<<10)
			chain := c.chain()
			right := make([]T, p.elements())
			c.run(right, p.in)
			if checks := p.compare(right, chain); !algorithmtest.Good(checks) {
				t.Errorf("%s N %d %s: the right answer is refused: %v", kind, n, mode, checks)
			}
			nan := T(0)
			if kind != "i32" {
				nan = T(math.NaN())
			}
			for _, at := range []int{0, int(n) / 2, int(n) - 1} {
				first := int(batch-2) * int(n) // the last sequence but one
				from, x := first+at, p.in[first+at]
				if p.Exclusive {
					from++
				}
				wrong := map[string]func(out []T){
					"one wrong":   func(out []T) { out[first+at] += x },
					"not written": func(out []T) { out[first+at] = nan },
					"missing": func(out []T) {
						for i := from; i < first+int(n); i++ {
							out[i] -= x
						}
					},
					"doubled": func(out []T) {
						for i := from; i < first+int(n); i++ {
							out[i] += x
						}
					},
				}
				for what, spoil := range wrong {
					if p.Exclusive && at == int(n)-1 && (what == "missing" || what == "doubled") {
						continue // the last element of an exclusive scan counts nowhere
					}
					if kind == "i32" && what == "not written" && right[first+at] == nan {
						continue
					}
					out := append([]T(nil), right...)
					spoil(out)
					if algorithmtest.Good(p.compare(out, chain)) {
						t.Errorf("%s N %d %s, element %d %s: accepted", kind, n, mode, at, what)
					}
				}
			}
			if algorithmtest.Good(p.compare(right[1:], chain)) {
				t.Errorf("%s N %d: an answer that is too short is accepted", kind, n)
			}
		}
	}
}

// The error of a chain of float32 additions is within the bound for its length
// and beyond that for a tree.
func TestCompareMeasuresRounding(t *testing.T) {
	const n = 1 << 18
	p := testProblem(t, setting(n, 1, "f32", "inclusive")).(*problem[float32])
	out := make([]float32, n)
	sum := float32(0)
	for i, x := range p.in {
		sum += x
		out[i] = sum
	}
	if checks := p.compare(out, n); !algorithmtest.Good(checks) {
		t.Errorf("a plain loop: %v", checks)
	}
	if checks := p.compare(out, 1); algorithmtest.Good(checks) {
		t.Errorf("a plain loop passes as one rounding: %v", checks)
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		n, elements int64
		want        string
	}{
		{64, 128, ""},
		{3, 9, ""},
		{100, 64, "batch_elements = 64 is less than N = 100; at least one sequence is needed"},
		{100, 250, "batch_elements = 250 is not a multiple of N = 100; nearest are 200 and 300"},
		{0, 1, "N = 0; want at least 1"},
	} {
		p := setting(c.n, 1, "f32", "inclusive")
		p["batch_elements"] = framework.IntValue(c.elements)
		got := ""
		if err := check(p); err != nil {
			got = fmt.Sprint(err)
		}
		if got != c.want {
			t.Errorf("N %d of %d: %q, want %q", c.n, c.elements, got, c.want)
		}
	}
}

// The inputs are what the bounds rely on: of magnitude 0.5 to 1, with both
// signs, and the same for the same seed.
func TestInputs(t *testing.T) {
	a := testProblem(t, setting(40000, 1, "f32", "inclusive")).(*problem[float32])
	b := testProblem(t, setting(20000, 2, "f32", "exclusive")).(*problem[float32])
	positive := 0
	for i, x := range a.in {
		if m := math.Abs(float64(x)); m < 0.5 || m >= 1 {
			t.Fatalf("element %d is %g", i, x)
		}
		if x != b.in[i] {
			t.Fatalf("element %d is %g and %g with one seed", i, x, b.in[i])
		}
		if x > 0 {
			positive++
		}
	}
	if positive < 19000 || positive > 21000 {
		t.Errorf("%d of 40000 are positive", positive)
	}
}

// Sequences that are longer than a group are compared group by group, to the same
// result.
func TestGroupsAreCompared(t *testing.T) {
	for _, exclusive := range []bool{false, true} {
		p := &problem[float32]{shape: shape{N: 3*group + 17, Batch: 2, Exclusive: exclusive, Type: "f32"}}
		p.in = make([]float32, p.elements())
		inputs.Random(p.in, 1, random32)
		got := make([]float32, p.elements())
		var want deviation
		for b := range 2 {
			in, out := p.in[b*p.N:(b+1)*p.N], got[b*p.N:(b+1)*p.N]
			scanInto(out, in, float64(0), exclusive) // with its rounding errors
			var magnitudes, squares, right float64
			for i, x := range in {
				at := func() {
					if d := math.Abs(float64(out[i]) - right); d > 0 {
						want.magnitudes, want.squares = max(want.magnitudes, d/magnitudes), max(want.squares, d/math.Sqrt(squares))
					}
				}
				if exclusive {
					at()
				}
				right += float64(x) // exact enough: 2^-53 of it is 2^-29 of the rounding errors
				magnitudes, squares = magnitudes+math.Abs(float64(x)), squares+float64(x)*float64(x)
				if !exclusive {
					at()
				}
			}
		}
		all := p.deviation(got)
		if math.Abs(all.magnitudes/want.magnitudes-1) > 1e-6 || math.Abs(all.squares/want.squares-1) > 1e-6 {
			t.Errorf("exclusive %v: %+v, want %+v", exclusive, all, want)
		}
	}
}

func TestCompareFindsOneElementOfMany(t *testing.T) {
	const n = 1 << 24
	p := testProblem(t, setting(n, 1, "f32", "inclusive")).(*problem[float32])
	out := make([]float32, n)
	scanInto(out, p.in, float64(0), false)
	if checks := p.compare(out, 1); !algorithmtest.Good(checks) {
		t.Errorf("the right answer is refused: %v", checks)
	}
	out[n/3] += 0.125
	if checks := p.compare(out, 1); algorithmtest.Good(checks) {
		t.Errorf("one wrong element of 2^24 passes: %v", checks)
	}
}

func BenchmarkCompare(b *testing.B) {
	p := testProblem(b, setting(1<<16, 64, "f32", "inclusive")).(*problem[float32])
	out := make([]float32, p.elements())
	for i := 0; i < len(out); i += p.N {
		scanInto(out[i:i+p.N], p.in[i:i+p.N], float64(0), false)
	}
	b.SetBytes(int64(4 * len(out)))
	for b.Loop() {
		p.compare(out, 1)
	}
}
