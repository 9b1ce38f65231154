package bicubic

import (
	"math"
	"testing"

	"example.org/bench/framework/algorithmtest"
)

// loosest is the rounding of the version with the widest bound.
func loosest(b basis) rounding { return splineRounding(b) }

// An answer with other phases, the other basis, a missing control point, wrong
// edges, one point not written, one point slightly off, or too few points is
// refused; the right one is not.
func TestCompareRefuses(t *testing.T) {
	for _, name := range []string{"hermite", "bspline"} {
		p := testProblem(t, setting(12, 17, 8, 4, name))
		r := loosest(p.Basis)
		right := make([]float32, p.points())
		definition{p}.run(right)
		if checks := p.compare(right, r); !algorithmtest.Good(checks) {
			t.Fatalf("%s: the right answer is refused: %v", name, checks)
		}
		spoil := func(what string, f func(out []float32)) {
			out := append([]float32(nil), right...)
			f(out)
			if algorithmtest.Good(p.compare(out, r)) {
				t.Errorf("%s: %s is accepted", name, what)
			}
		}
		for _, at := range []int{0, 5*p.outCols() + 3, len(right) - 1} {
			spoil("a point not written", func(out []float32) { out[at] = float32(math.NaN()) })
			spoil("a point off by 1e-5", func(out []float32) { out[at] += 1e-5 })
		}
		spoil("a row exchanged with the next", func(out []float32) {
			n := p.outCols()
			for i := range n {
				out[40*n+i], out[41*n+i] = out[41*n+i], out[40*n+i]
			}
		})
		other := func(s shape, in []float32) func([]float32) {
			return func(out []float32) { definition{&problem{shape: s, in: in}}.run(out) }
		}
		s := p.shape
		s.Basis = 1 - s.Basis
		spoil("the other basis", other(s, p.in))
		s = p.shape
		s.RowFactor, s.ColumnFactor = 4, 8 // as many points
		spoil("exchanged factors", other(s, p.in))
		in := append([]float32(nil), p.in...)
		in[3*p.Cols+5] = 0
		spoil("a missing control point", other(p.shape, in))
		in[3*p.Cols+5] = math.Nextafter32(p.in[3*p.Cols+5]*1.0001, 2)
		spoil("a control point off by 1e-4", other(p.shape, in))
		if algorithmtest.Good(p.compare(right[1:], r)) {
			t.Errorf("%s: an answer that is too short is accepted", name)
		}
	}
}

// The edge's point is repeated beyond it: the rows past the last input row of a
// matrix that is constant except for that row.
func TestEdgesClamp(t *testing.T) {
	p := testProblem(t, setting(4, 3, 2, 1, "hermite"))
	for i := range p.in {
		p.in[i] = 1
		if i >= 3*p.Cols {
			p.in[i] = 5
		}
	}
	out := make([]float32, p.points())
	definition{p}.run(out)
	// Halfway between 5 and its repetition, after 1: -1/16, 9/16, 9/16, -1/16.
	want := float32(-1+9*5+9*5-5) / 16
	if got := out[7*p.outCols()]; got != want {
		t.Errorf("past the last row %g, want %g", got, want)
	}
	if !algorithmtest.Good(p.compare(out, rounding{steps: 1})) {
		t.Error("the reference differs at the edge")
	}
}

// Both bases sum to one at every phase; Hermite goes through its points and
// reproduces lines, B-spline at a point is 1/6, 4/6, 1/6.
func TestWeights(t *testing.T) {
	for _, b := range []basis{hermite, bspline} {
		for i := range 64 {
			x := float64(i) / 64
			w, g := b.weights(x), b.magnitudes(x)
			sum, line := 0.0, 0.0
			for j := range w {
				sum += w[j]
				line += w[j] * float64(j-1)
				if g[j] < math.Abs(w[j])-1e-15 {
					t.Errorf("basis %d at %g: magnitude %g of weight %g", b, x, g[j], w[j])
				}
			}
			if math.Abs(sum-1) > 1e-15 || math.Abs(line-x) > 1e-15 {
				t.Errorf("basis %d at %g: weights sum to %g, a line gives %g", b, x, sum, line)
			}
		}
	}
	if w := hermite.weights(0); w != (cubic{0, 1, 0, 0}) {
		t.Errorf("Hermite at a point: %v", w)
	}
	if w := bspline.weights(0); math.Abs(w[0]-1./6) > 1e-16 || math.Abs(w[1]-4./6) > 1e-16 || w[3] != 0 {
		t.Errorf("B-spline at a point: %v", w)
	}
}

// The inputs are what the bounds rely on: of magnitude 0.5 to 1, with both
// signs, and the same for the same seed.
func TestInputs(t *testing.T) {
	a := testProblem(t, setting(100, 300, 1, 1, "hermite"))
	b := testProblem(t, setting(100, 300, 2, 2, "bspline"))
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
	if positive < 14000 || positive > 16000 {
		t.Errorf("%d of 30000 are positive", positive)
	}
}
