package qr

import (
	"errors"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
	"example.org/bench/gpu/cuda/sim/simtest"
)

func setting(m, n, batch int, q string, condition float64) framework.Values {
	return framework.Values{
		"m": framework.IntValue(int64(m)), "n": framework.IntValue(int64(n)), "batch": framework.IntValue(int64(batch)),
		"q": framework.TextValue(q), "condition": framework.FloatValue(condition),
	}
}

// in is a setting in a precision.
func in(precision string, setting framework.Values) framework.Values {
	setting["precision"] = framework.TextValue(precision)
	return setting
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

// Tunables other than the defaults; the simulator reports races in shared
// memory.
func TestTunables(t *testing.T) {
	d := simtest.Open(t, sim.Checks())
	small := setting(64, 64, 3, reduced, 10)
	for version, tunables := range map[string]framework.Values{
		"v4": framework.IntValues("THREADS", 1024), "v5": framework.IntValues("THREADS", 64), "v6": framework.IntValues("THREADS", 128), "v7": framework.IntValues("WARPS", 4), "v8": framework.IntValues("WARPS", 32),
	} {
		algorithmtest.Solve(t, Factory(), d, version, small, tunables)
	}
	for _, x := range []struct{ l, g, matrices int }{{32, 1, 1}, {32, 4, 2}, {64, 8, 2}, {128, 2, 1}, {32, 2, 1}} {
		algorithmtest.Solve(t, Factory(), d, "registers", small, framework.IntValues("L", x.l, "G", x.g, "MATRICES", x.matrices, "BLOCKS", 1))
	}
	general := setting(150, 21, 2, reduced, 1e5)
	for _, version := range []string{"v1", "v2", "v3"} {
		algorithmtest.Solve(t, Factory(), d, version, general, framework.IntValues("THREADS", 32))
	}
	for _, x := range []struct{ w, threads, vector, ahead int }{
		{8, 64, 4, 1}, {4, 32, 4, 0}, {2, 64, 2, 1}, {16, 128, 2, 0},
	} {
		v := framework.IntValues("W", x.w, "THREADS", x.threads, "VEC", x.vector, "AHEAD", x.ahead)
		algorithmtest.Solve(t, Factory(), d, "tiles", general, v)
		if x.threads == 64 {
			algorithmtest.Solve(t, Factory(), d, "tiles", setting(70, 21, 1, full, 10), v)
		}
	}
}

// Blocks take tiles in turn: fewer resident blocks than tiles are enough, in
// whatever order the simulator runs their warps.
func TestTilesWaitForEachOther(t *testing.T) {
	for seed, resident := range []int{1, 3, 16} {
		d, err := sim.Open(uint64(seed), sim.Resident(resident))
		if err != nil {
			t.Fatal(err)
		}
		v := framework.IntValues("W", 4, "THREADS", 64, "VEC", 2, "AHEAD", seed%2)
		algorithmtest.Solve(t, Factory(), d, "tiles", setting(90, 70, 3, reduced, 100), v)
		algorithmtest.Solve(t, Factory(), d, "tiles", setting(90, 30, 2, full, 100), v)
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A matrix whose columns are zero below the diagonal, and one of zeros, need no
// reflections; Q is the unit matrix and R the matrix.
func TestTriangularInput(t *testing.T) {
	d := simtest.Open(t)
	for _, zero := range []bool{false, true} {
		p := testProblem(t, setting(20, 10, 1, full, 1))
		for j := range p.N {
			for i := range p.M {
				switch {
				case i > j || zero:
					p.a.single[j*p.M+i] = 0
				case i == j:
					p.a.single[j*p.M+i] = -3
				}
			}
		}
		g := &tiles{gpuData: newData(framework.Env{Device: d}, p), tiling: tilesOf(p.shape, framework.IntValues("W", 4, "THREADS", 32, "VEC", 1, "AHEAD", 0))}
		if err := errors.Join(g.PreRun(), g.Run()); err != nil {
			t.Fatal(err)
		}
		q, r := make([]float32, p.sizeQ()), make([]float32, p.sizeR())
		if err := errors.Join(gpu.Download(d, q, g.q), gpu.Download(d, r, g.r), g.PostRun()); err != nil {
			t.Fatal(err)
		}
		for i, x := range q {
			want := float32(0)
			if i/p.M == i%p.M {
				want = 1
			}
			if x != want {
				t.Fatalf("zero %v: Q has %g at row %d, column %d", zero, x, i%p.M, i/p.M)
			}
		}
		for i, x := range r {
			if x != p.a.single[i] {
				t.Fatalf("zero %v: R has %g at row %d, column %d, A %g", zero, x, i%p.M, i/p.M, p.a.single[i])
			}
		}
	}
}
