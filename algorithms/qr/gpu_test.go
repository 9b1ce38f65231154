package qr

import (
	"fmt"
	"testing"

	"bench/cuda"
	"bench/cuda/sim"
	"bench/framework"
)

func setting(m, n, batch int, q string, condition float64) framework.Values {
	return framework.Values{
		"m": framework.IntValue(int64(m)), "n": framework.IntValue(int64(n)), "batch": framework.IntValue(int64(batch)),
		"q": framework.TextValue(q), "condition": framework.FloatValue(condition),
	}
}

func testProblem(t testing.TB, params framework.Values) *problem {
	t.Helper()
	q, err := newProblem(framework.Env{Seed: 3}, params)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return q.(*problem)
}

func simulator(t *testing.T, options ...sim.Option) cuda.Device {
	t.Helper()
	d, err := sim.Open(1, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// verifyRun brings a version through a run and holds its answer to its bounds.
func verifyRun(t *testing.T, at string, a framework.BaseAlgorithm) {
	t.Helper()
	defer func() {
		if err := a.PostRun(); err != nil {
			t.Errorf("%s: %v", at, err)
		}
	}()
	if err := a.PreRun(); err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	for range 2 { // a second run finds what the first left
		if r, ok := a.(framework.Resetter); ok {
			if err := r.Reset(); err != nil {
				t.Fatalf("%s: %v", at, err)
			}
		}
		if err := a.Run(); err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		checks, err := a.Verify()
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		if len(checks) == 0 {
			t.Fatalf("%s: nothing was checked", at)
		}
		for _, c := range checks {
			if !c.OK() {
				t.Errorf("%s: %s is %.3g, bound %.3g", at, c.Metric, c.Error, c.Bound)
			}
			if testing.Verbose() {
				t.Logf("%s: %s %.3g of %.3g", at, c.Metric, c.Error, c.Bound)
			}
		}
	}
}

// runGPU runs and verifies a version; nil tunables are its defaults. False
// where it does not support the problem.
func runGPU(t *testing.T, d cuda.Device, version string, params, tunables framework.Values) bool {
	t.Helper()
	v := Factory().VersionOn(version, framework.GPU)
	if v == nil {
		t.Fatalf("no GPU version %s", version)
	}
	if v.Supports != nil && v.Supports(params, d.Facts()) != nil {
		return false
	}
	if tunables == nil {
		tunables = v.Defaults(params, d.Facts())
	}
	at := fmt.Sprint(version, params, tunables)
	if err := v.Valid(params, tunables, d.Facts()); err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	a, err := v.New(framework.Env{Device: d}, testProblem(t, params), tunables)
	if err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	verifyRun(t, at, a)
	return true
}

func TestSmallVersions(t *testing.T) {
	d := simulator(t)
	for _, version := range []string{"v4", "v5", "v6", "v7", "v8", "v10"} {
		for _, batch := range []int{1, 5} {
			if !runGPU(t, d, version, setting(64, 64, batch, reduced, 100), nil) {
				t.Errorf("%s does not support 64×64", version)
			}
		}
		if runGPU(t, d, version, setting(65, 64, 1, reduced, 1), nil) {
			t.Errorf("%s says that it supports 65×64", version)
		}
	}
}

func TestGeneralVersions(t *testing.T) {
	d := simulator(t)
	for _, version := range []string{"v1", "v2", "v3", "v9"} {
		for _, x := range []struct {
			m, n, batch int
			q           string
			condition   float64
		}{{64, 64, 1, reduced, 100}, {100, 33, 2, reduced, 10}, {50, 7, 3, full, 1e3}, {17, 17, 1, full, 10}, {1, 1, 2, reduced, 1}, {300, 20, 1, reduced, 1e6}} {
			if !runGPU(t, d, version, setting(x.m, x.n, x.batch, x.q, x.condition), nil) {
				t.Errorf("%s does not support %+v", version, x)
			}
		}
	}
}
