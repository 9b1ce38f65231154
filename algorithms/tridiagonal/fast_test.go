package tridiagonal

import (
	"errors"
	"math"
	"slices"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/gpu/cuda/sim/simtest"
)

func TestFastCheckFindsPlantedErrors(t *testing.T) {
	for _, at := range []struct {
		n, batch int
		layout   string
		checks   int
	}{{64, 4200, contiguous, 2}, {64, 4200, interleaved, 2}, {100_000, 3, contiguous, 2}, {300_000, 1, contiguous, 1}, {300_000, 2, interleaved, 1}} {
		p := testProblem(t, setting(at.n, at.batch, "f32", at.layout, 2))
		want, err := p.answer()
		if err != nil {
			t.Fatal(err)
		}
		right := make([]float32, len(want.x))
		for i, v := range want.x {
			right[i] = float32(v)
		}
		try := func(x []float32) []framework.Check {
			checks, err := compareFast(p, p.in32, x, 1)
			if err != nil {
				t.Fatal(err)
			}
			return checks
		}
		if checks := try(right); !algorithmtest.Good(checks) || len(checks) != at.checks {
			t.Errorf("%+v: the reference itself: %v", at, checks)
		}
		if algorithmtest.Good(try(right[1:])) {
			t.Errorf("%+v: an answer that is too short passes", at)
		}
		largest := float32(0)
		for _, v := range right {
			largest = max(largest, v)
		}
		for name, plant := range map[string]func(x []float32){
			"last element doubled":      func(x []float32) { x[len(x)-1] *= 2 },
			"an element a little wrong": func(x []float32) { x[len(x)/3] += 1e-4 * largest },
			"neighbours exchanged":      func(x []float32) { x[700], x[701] = x[701], x[700] },
			"halves exchanged": func(x []float32) {
				half := len(x) / 2
				copy(x, append(slices.Clone(x[half:2*half]), x[:half]...))
			},
			"an element missing":  func(x []float32) { x[len(x)/2] = float32(math.NaN()) },
			"an element infinite": func(x []float32) { x[0] = float32(math.Inf(-1)) },
			"a lost scale": func(x []float32) {
				for i := range x {
					x[i] /= 2
				}
			},
			"zeros": func(x []float32) { clear(x) },
		} {
			x := slices.Clone(right)
			plant(x)
			if checks := try(x); algorithmtest.Good(checks) {
				t.Errorf("%+v: %s: not found: %v", at, name, checks)
			}
		}
	}
}

func TestFastCheckIsForManyDominantSystems(t *testing.T) {
	for _, c := range []struct {
		n, batch  int
		dominance float64
		want      bool
	}{{64, 4096, 2, false}, {64, 4097, 2, true}, {64, 4097, 1, false}, {1 << 19, 1, 2, true}} {
		p := &problem{N: c.n, Batch: c.batch, Dominance: c.dominance}
		if p.hasFastCheck() != c.want {
			t.Errorf("%+v: %v", c, p.hasFastCheck())
		}
	}
	p := testProblem(t, setting(64, 5000, "f64", contiguous, 1))
	if _, err := compareFast(p, p.in64, p.in64.d, 1); !errors.Is(err, framework.ErrNoFastCheck) {
		t.Errorf("systems that are not dominant: %v", err)
	}
}

func TestFastCheckOfADevice(t *testing.T) {
	d := simtest.Open(t)
	for _, precision := range []string{"f32", "f64"} {
		algorithmtest.Solve(t, Factory(), d, "thomas", setting(64, 4200, precision, interleaved, 2), nil)
	}
}
