package qr

import (
	"math"
	"testing"

	"example.org/bench/framework"
)

// answer is Q and R of a problem by the reference.
func answer[T real](t *testing.T, p *problem) (q, r []T) {
	t.Helper()
	x, err := prepareReference(p, framework.Env{})
	if err != nil {
		t.Fatal(err)
	}
	allQ, allR := p.elements(p.sizeQ()*p.Batch), p.elements(p.sizeR()*p.Batch)
	if err := x.run(allQ, allR, p.a); err != nil {
		t.Fatal(err)
	}
	return of[T](allQ), of[T](allR)
}

func refused(checks []framework.Check, metric string) bool {
	for _, c := range checks {
		if c.Metric == metric {
			return !c.OK()
		}
	}
	return false
}

// One wrong element is found by the check that is made for it, in every matrix
// of a batch.
func TestCompareFindsPlantedErrors(t *testing.T) {
	compareFinds(t, singlePrecision, float32(1e-3))
	compareFinds(t, doublePrecision, 1e-11)
}

func compareFinds[T real](t *testing.T, precision string, little T) {
	for _, x := range []struct {
		m, n int
		q    string
	}{{64, 64, reduced}, {100, 20, reduced}, {40, 10, full}} {
		p := testProblem(t, in(precision, setting(x.m, x.n, 3, x.q, 10)))
		q, r := answer[T](t, p)
		for _, c := range compare(p, q, r, householder) {
			if !c.OK() {
				t.Fatalf("%+v: the reference's %s is %g, bound %g", x, c.Metric, c.Error, c.Bound)
			}
		}
		for _, at := range []struct {
			what   string
			change func() (undo func())
			metric string
		}{
			{"Q's last element by little", func() func() { return plant(&q[len(q)-1], little) }, orthogonality},
			{"Q's first element by little", func() func() { return plant(&q[0], little) }, orthogonality},
			{"a diagonal element of R by little", func() func() { return plant(&r[p.sizeR()+p.cols()+1], little) }, residual},
			{"an element below R's diagonal", func() func() { return plant(&r[2*p.sizeR()+1], 1e-30) }, triangle},
			{"NaN in Q", func() func() { return plant(&q[p.sizeQ()], T(math.NaN())) }, orthogonality},
			{"NaN in R", func() func() { return plant(&r[0], T(math.NaN())) }, residual},
			{"infinity in R", func() func() { return plant(&r[0], T(math.Inf(1))) }, residual},
		} {
			undo := at.change()
			for _, by := range []method{householder, gramSchmidt} {
				if !refused(compare(p, q, r, by), at.metric) {
					t.Errorf("%+v: %s is not found by %s", x, at.what, at.metric)
				}
			}
			undo()
		}
		// Columns of opposite sign are another right answer.
		for i := range x.m {
			q[i] = -q[i]
		}
		for j := range x.n {
			r[j*p.cols()] = -r[j*p.cols()]
		}
		for _, c := range compare(p, q, r, householder) {
			if !c.OK() {
				t.Errorf("%+v: with the first column's sign changed, %s is %g, bound %g", x, c.Metric, c.Error, c.Bound)
			}
		}
	}
}

func plant[T real](at *T, by T) (undo func()) {
	was := *at
	*at += by
	return func() { *at = was }
}

// R without Q is judged by its product.
func TestCompareGram(t *testing.T) {
	gramFinds(t, singlePrecision, float32(1.001))
	gramFinds(t, doublePrecision, 1+1e-10)
}

func gramFinds[T real](t *testing.T, precision string, off T) {
	p := testProblem(t, in(precision, setting(50, 20, 2, reduced, 10)))
	_, r := answer[T](t, p)
	factored := make([]T, p.sizeQ()*2)
	for b := range 2 {
		for j := range p.N {
			copy(factored[b*p.sizeQ()+j*p.M:], r[b*p.sizeR()+j*p.N:b*p.sizeR()+(j+1)*p.N])
			factored[b*p.sizeQ()+j*p.M+j+1] = 7 // the reflections below R's diagonal do not count
		}
	}
	if c := compareGram(p, factored); !c.OK() {
		t.Errorf("the reference's R: %+v", c)
	}
	factored[p.sizeQ()] *= off
	if c := compareGram(p, factored); c.OK() {
		t.Errorf("a wrong diagonal element of the second R: %+v", c)
	}
}

// Inputs have the singular values asked for.
func TestDraw(t *testing.T) {
	for _, x := range []struct{ m, n int }{{64, 64}, {50, 20}, {33, 1}, {1, 1}} {
		p := testProblem(t, setting(x.m, x.n, 2, reduced, 1000))
		for b := range 2 {
			// |A|² is the sum of their squares, det(AᵀA) their product.
			_, r := answer[float32](t, &problem{shape: shape{M: x.m, N: x.n, Batch: 1}, a: p.a.slice(b*p.sizeA(), (b+1)*p.sizeA())})
			norm, logDeterminant := 0.0, 0.0
			for _, v := range matrix[float32](p, b) {
				norm += float64(v) * float64(v)
			}
			wantNorm, wantLog := 0.0, 0.0
			for i := range x.n {
				logDeterminant += math.Log(math.Abs(float64(r[i*x.n+i])))
				sigma := 1.0
				if x.n > 1 {
					sigma = math.Pow(1000, -float64(i)/float64(x.n-1))
				}
				wantNorm += sigma * sigma
				wantLog += math.Log(sigma)
			}
			if math.Abs(norm/wantNorm-1) > 1e-5 || math.Abs(logDeterminant-wantLog) > 1e-2 {
				t.Errorf("%d×%d: |A|² = %g, want %g; log |det R| = %g, want %g", x.m, x.n, norm, wantNorm, logDeterminant, wantLog)
			}
		}
		if x.m == 64 && p.a.single[0] == p.a.single[64*64] {
			t.Error("the matrices of a batch are the same")
		}
		zeros := 0
		for _, v := range p.a.single {
			if v == 0 {
				zeros++
			}
		}
		if x.n > 1 && zeros > 0 {
			t.Errorf("%d×%d: %d zeros", x.m, x.n, zeros)
		}
	}
}

func TestCheckRefusesWideMatrices(t *testing.T) {
	if err := check(setting(10, 11, 1, reduced, 1)); err == nil {
		t.Error("10×11 is accepted")
	}
	if err := check(setting(1<<15, 1, 8, full, 1)); err == nil {
		t.Error("8 matrices Q of 2^15×2^15 are accepted")
	}
	if err := check(setting(11, 11, 1, full, 1)); err != nil {
		t.Error(err)
	}
}
