package fft

import (
	"testing"

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
