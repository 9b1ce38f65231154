package fft

import (
	"math"
	"math/cmplx"
	"slices"
	"testing"

	"example.org/bench/internal/workers"
)

// definition is the transform as a sum over all inputs for each output, with
// factors from cmplx.Exp and compensated sums.
func definition(x []complex128, inverse bool) []complex128 {
	n := len(x)
	sign := -1.0
	if inverse {
		sign = 1
	}
	w := make([]complex128, n)
	for k := range w {
		w[k] = cmplx.Exp(complex(0, sign*2*math.Pi*float64(k)/float64(n)))
	}
	y := make([]complex128, n)
	workers.Split(workers.All(), n, func(k int) {
		var re, im compensated
		for j, v := range x {
			term := v * w[j*k%n]
			re.add(real(term))
			im.add(imag(term))
		}
		y[k] = complex(re.value(), im.value())
	})
	return y
}

// worstElement is the largest difference over the root mean square of want.
func worstElement(got, want []complex128) float64 {
	var worst, squares float64
	for i := range want {
		worst = max(worst, cmplx.Abs(got[i]-want[i]))
		squares += real(want[i])*real(want[i]) + imag(want[i])*imag(want[i])
	}
	return worst / math.Sqrt(squares/float64(len(want)))
}

func TestReferenceIsTheTransformByDefinition(t *testing.T) {
	for n := minN; n <= 4096; n *= 2 {
		for _, inverse := range []bool{false, true} {
			p := testProblem(t, n, 1, "f64", "forward")
			want := definition(p.in64, inverse)
			bound := 4 * p.bound()
			got := slices.Clone(p.in64)
			transformBatch(2, got, n, inverse)
			if e := worstElement(got, want); !(e <= bound) {
				t.Errorf("N %d inverse %v: error %.3g, bound %.3g", n, inverse, e, bound)
			}
			w := twiddles(n, inverse)
			w[n/4+1] = w[n/4]
			wrong := slices.Clone(p.in64)
			transform(wrong, w, 1)
			if e := worstElement(wrong, want); e <= bound {
				t.Errorf("N %d inverse %v: a wrong twiddle factor gives %.3g, within the bound %.3g", n, inverse, e, bound)
			}
		}
	}
}

// TestUnitRoot compares the roots with each other: quarter turns are exact,
// and squares are roots to the last places.
func TestUnitRoot(t *testing.T) {
	const n = 1 << 12
	for k := range n {
		w := unitRoot(k, n)
		if q := unitRoot(k+n/4, n); q != complex(imag(w), -real(w)) {
			t.Fatalf("root %d: %v, a quarter on %v", k, w, q)
		}
		if e := cmplx.Abs(w*w - unitRoot(2*k, n)); e > 4*roundoff64 {
			t.Fatalf("root %d: square errs by %g", k, e)
		}
	}
	if w := unitRoot(1, 8); cmplx.Abs(w-complex(math.Sqrt2/2, -math.Sqrt2/2)) > 2*roundoff64 {
		t.Errorf("an eighth of a turn is %v", w)
	}
}

func TestReferenceSharesOneTransform(t *testing.T) {
	p := testProblem(t, 1<<15, 1, "f64", "forward")
	one, three := slices.Clone(p.in64), slices.Clone(p.in64)
	transformBatch(1, one, p.N, false)
	transformBatch(3, three, p.N, false)
	if !slices.Equal(one, three) {
		t.Error("the answer depends on the number of workers")
	}
}

func TestDirectCheckRefusesAWrongReference(t *testing.T) {
	p := testProblem(t, 1024, 3, "f32", "forward")
	if c := directCheck(p); !c.OK() {
		t.Errorf("the reference is refused: %+v", c)
	}
	p.answer()[p.N-1] *= 1 + 1e-12
	if c := directCheck(p); c.OK() {
		t.Errorf("a wrong element passes: %+v", c)
	}
}
