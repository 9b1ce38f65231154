package qr

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/gpu/cuda/sim/simtest"
)

func TestFastCheckFindsPlantedErrors(t *testing.T) {
	fastFinds(t, singlePrecision, float32(1e-2))
	fastFinds(t, doublePrecision, 1e-10)
}

func fastFinds[T real](t *testing.T, precision string, little T) {
	for _, x := range []struct {
		m, n, batch int
		q           string
	}{{64, 64, 9, reduced}, {700, 90, 1, reduced}, {96, 40, 3, full}} {
		p := testProblem(t, in(precision, setting(x.m, x.n, x.batch, x.q, 10)))
		if !p.hasFastCheck(householder) {
			t.Fatalf("%+v has no fast check", x)
		}
		q, r := answer[T](t, p)
		if checks := compareFast(p, q, r, householder); !algorithmtest.Good(checks) {
			t.Fatalf("%+v: the reference's: %v", x, checks)
		}
		const inQ, inR = orthogonality + " by random vectors", residual + " by random vectors"
		for _, at := range []struct {
			what   string
			change func() (undo func())
			metric string
		}{
			{"Q's last element by little", func() func() { return plant(&q[len(q)-1], little) }, inQ},
			{"Q's first element by little", func() func() { return plant(&q[0], little) }, inQ},
			{"a diagonal element of R by little", func() func() { return plant(&r[p.cols()+1], little) }, inR},
			{"the last column's first element of R by little", func() func() { return plant(&r[len(r)-p.cols()], little) }, inR},
			{"an element below R's diagonal", func() func() { return plant(&r[len(r)-p.sizeR()+1], 1e-30) }, triangle},
			{"NaN in Q", func() func() { return plant(&q[0], T(math.NaN())) }, inQ},
			{"NaN in R", func() func() { return plant(&r[0], T(math.NaN())) }, inR},
			{"infinity in R", func() func() { return plant(&r[0], T(math.Inf(1))) }, inR},
			{"two columns of the last Q exchanged", func() func() { return exchange(q[len(q)-p.sizeQ():], x.m) }, inR},
			{"a lost scale of the last Q", func() func() { return double(q[len(q)-p.sizeQ():]) }, inQ},
			{"a lost scale of the last R", func() func() { return double(r[len(r)-p.sizeR():]) }, inR},
		} {
			undo := at.change()
			for _, by := range []method{householder, gramSchmidt} {
				if !refused(compareFast(p, q, r, by), at.metric) {
					t.Errorf("%+v: %s is not found by %s", x, at.what, at.metric)
				}
			}
			undo()
		}
	}
}

// exchange exchanges the first two columns.
func exchange[T real](q []T, rows int) (undo func()) {
	swap := func() {
		for i := range rows {
			q[i], q[rows+i] = q[rows+i], q[i]
		}
	}
	swap()
	return swap
}

func double[T real](x []T) (undo func()) {
	for i := range x {
		x[i] *= 2
	}
	return func() {
		for i := range x {
			x[i] /= 2
		}
	}
}

// Two exchanged matrices are right for each other's input only.
func TestFastCheckFindsExchangedMatrices(t *testing.T) {
	p := testProblem(t, setting(64, 64, 5, reduced, 10))
	q, r := answer[float32](t, p)
	for i := range p.sizeQ() {
		q[i], q[3*p.sizeQ()+i] = q[3*p.sizeQ()+i], q[i]
	}
	for i := range p.sizeR() {
		r[i], r[3*p.sizeR()+i] = r[3*p.sizeR()+i], r[i]
	}
	if algorithmtest.Good(compareFast(p, q, r, householder)) {
		t.Error("two matrices exchanged are not found")
	}
}

// The norm of an error of any rank times normal numbers is small no more often than
// slack's comment says, and never slack times as large.
func TestVectorsShowErrors(t *testing.T) {
	const n, trials, limit = 32, 20000, 0.1
	g := rand.New(rand.NewPCG(5, 5))
	for rank := 1; rank <= n; rank *= 4 {
		below, beyond := 0, 0
		for range trials {
			sum := 0.0
			for range rank {
				x := g.NormFloat64()
				sum += x * x / float64(rank)
			}
			if math.Sqrt(sum) <= limit {
				below++
			}
			if math.Sqrt(sum) > slack {
				beyond++
			}
		}
		most := math.Sqrt(2/math.Pi) * limit
		if share := float64(below) / trials; share > most+5*math.Sqrt(most/trials) || rank == 1 && share < 0.8*most || beyond > 0 {
			t.Errorf("rank %d: %.4f are below %g of the norm, want at most %.4f; %d are refused", rank, share, limit, most, beyond)
		}
	}
}

func TestVectorsSuffice(t *testing.T) {
	for _, s := range []shape{{M: 64, N: 64, Condition: 10}, {M: 1024, N: 1024, Condition: 10}, {M: 1 << 15, N: 1024, Condition: 10}} {
		bound, _ := s.bounds(householder)
		one := math.Sqrt(2/math.Pi) * slack * bound * math.Sqrt(float64(s.M)/2)
		if k := s.vectors(householder); math.Pow(one, float64(k)) > escapes || k > 5 {
			t.Errorf("%d×%d: %d vectors, which an element escapes with %g", s.M, s.N, k, math.Pow(one, float64(k)))
		}
	}
	if k := (shape{M: 64, N: 64, Condition: 1e12}).vectors(gramSchmidt); k != mostVectors {
		t.Errorf("an ill-conditioned matrix: %d vectors", k)
	}
}

func TestFastCheckIsForManyColumns(t *testing.T) {
	p := testProblem(t, setting(64, 4, 3, reduced, 10))
	a := &cpuRun{CPURun: framework.CPURun[*problem, factoriser]{Problem: p}}
	if _, err := a.VerifyFast(); !errors.Is(err, framework.ErrNoFastCheck) {
		t.Errorf("four columns: %v", err)
	}
}

func TestFastCheckOfADevice(t *testing.T) {
	algorithmtest.Solve(t, Factory(), simtest.Open(t), "tiles", setting(64, 64, 3, reduced, 10), nil)
}
