package fft

import (
	"fmt"
	"math/bits"
	"testing"
	"time"

	"bench/framework"
)

// setting is the parameters of a problem.
func setting(n, batch int, precision, direction string) framework.Values {
	return framework.Values{
		"N":              framework.IntValue(int64(n)),
		"batch_elements": framework.IntValue(int64(n * batch)),
		"precision":      framework.TextValue(precision),
		"direction":      framework.TextValue(direction),
	}
}

func testEnv(t testing.TB, workers int) framework.Env {
	return framework.Env{Seed: 7, Workers: workers, Note: t.Logf}
}

func testProblem(t testing.TB, n, batch int, precision, direction string) *problem {
	t.Helper()
	q, err := newProblem(testEnv(t, 2), setting(n, batch, precision, direction))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return q.(*problem)
}

// verify runs a version on a problem as the runner does and fails for an
// error beyond its bound.
func verify(t *testing.T, version string, p *problem, workers int) {
	t.Helper()
	v := Factory().VersionOn(version, framework.CPU)
	if v == nil {
		t.Fatalf("no CPU version %s", version)
	}
	a, err := v.New(testEnv(t, workers), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.PreRun(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := a.PostRun(); err != nil {
			t.Error(err)
		}
	}()
	if err := a.Run(); err != nil {
		t.Fatal(err)
	}
	checks, err := a.Verify()
	if err != nil {
		t.Fatal(err)
	}
	if len(checks) < 4 {
		t.Errorf("%d checks, want the three of the answer and the round trip", len(checks))
	}
	for _, c := range checks {
		if !c.OK() {
			t.Errorf("N %d batch %d inverse %v double %v: %s is %.3g, bound %.3g", p.N, p.Batch, p.Inverse, p.Double, c.Metric, c.Error, c.Bound)
		}
	}
}

// benchmark reports the nominal rate of a version at every size. The
// versions that share a size alternate under -count, so that a load on the
// machine meets all of them.
func benchmark(b *testing.B, precision string, versions []string, elements int) {
	for n := 64; n <= maxN; n *= 2 {
		for _, version := range versions {
			b.Run(fmt.Sprintf("N=%d/%s", n, version), func(b *testing.B) {
				p := testProblem(b, n, max(1, elements/n), precision, "forward")
				env := framework.Env{Workers: 2}
				a, err := Factory().VersionOn(version, framework.CPU).New(env, p, nil)
				if err != nil {
					b.Fatal(err)
				}
				if err := a.PreRun(); err != nil {
					b.Fatal(err)
				}
				defer a.PostRun()
				best := time.Hour
				for b.Loop() {
					start := time.Now()
					if err := a.Run(); err != nil {
						b.Fatal(err)
					}
					best = min(best, time.Since(start))
				}
				flops := 5 * float64(p.elements()) * float64(bits.Len(uint(n))-1)
				b.ReportMetric(flops/best.Seconds()/1e9, "best_GFLOP/s")
			})
		}
	}
}

func BenchmarkFloat32(b *testing.B) {
	benchmark(b, "f32", []string{"stockham", "fftw"}, defaultElements)
}
func BenchmarkFloat64(b *testing.B) {
	benchmark(b, "f64", []string{"stockham", "fftw"}, defaultElements)
}
