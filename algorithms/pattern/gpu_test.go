package pattern

import (
	"fmt"
	"slices"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
	"example.org/bench/gpu/cuda/sim/simtest"
)

// matchOf is what a version finds at its defaults.
func matchOf(t *testing.T, d gpu.Device, name string, p *problem, params framework.Values) match {
	t.Helper()
	v := Factory().VersionOn(name, framework.GPU)
	a, err := v.New(framework.Env{Device: d}, p, v.Defaults(params, d.Facts()))
	if err != nil {
		t.Fatal(err)
	}
	return run(t, fmt.Sprint(name, params), a)
}

var gpuNames = []string{"v1", "v2", "v3", "v4", "v5"}

func TestEqualsOnGPU(t *testing.T) {
	d := simtest.Open(t, sim.Checks())
	for what, p := range twoEquals() {
		params := setting(int64(p.K), int64(p.N), int64(p.S), int64(p.G))
		for _, name := range gpuNames {
			got := matchOf(t, d, name, p, params)
			if what == "all" && (got.pattern != 0 || got.shift != 0 || got.gain != 0) {
				t.Errorf("%s: match %v, want the first of everything", name, got)
			}
		}
	}
}

// Blocks of several patterns and of parts of the shifts and gains; the simulator
// reports races in shared memory.
func TestMappedTunables(t *testing.T) {
	d := simtest.Open(t, sim.Checks())
	params := setting(5, 32, 21, 9)
	for i, c := range []struct{ y, z int }{{1, 1}, {2, 16}, {8, 4}, {3, 5}} {
		for _, name := range gpuNames[i%2*2 : i%2*2+2] {
			algorithmtest.Solve(t, Factory(), d, name, params, framework.IntValues("Y", c.y, "Z", c.z))
		}
	}
	small := setting(9, 7, 20, 9)
	for _, name := range gpuNames[:2] {
		algorithmtest.Solve(t, Factory(), d, name, small, framework.IntValues("Y", 2, "Z", 3))
	}
}

// Teams of every width, shifts in one and several rounds, accesses of 1, 2 and
// 4 elements, more groups of patterns than warps.
func TestFusedTunables(t *testing.T) {
	d := simtest.Open(t, sim.Checks())
	for _, c := range []struct {
		k, n, s, g                               int64
		lanes, r, rolled, threads, blocks, ahead int
	}{
		{70, 32, 101, 50, 8, 13, 0, 64, 1, 1}, {150, 32, 101, 50, 4, 26, 1, 32, 1, 0}, {40, 32, 101, 50, 16, 7, 1, 32, 1, 1},
		{20, 32, 101, 50, 32, 4, 0, 32, 1, 0}, {21, 32, 101, 50, 8, 7, 1, 96, 1, 1}, {9, 5, 20, 9, 2, 4, 1, 32, 1, 0},
		{9, 7, 20, 9, 8, 2, 0, 64, 1, 1}, {5, 100, 11, 3, 8, 4, 1, 32, 2, 0}, {5, 3, 1, 1, 1, 1, 0, 32, 1, 0},
	} {
		params := setting(c.k, c.n, c.s, c.g)
		algorithmtest.Solve(t, Factory(), d, "v5", params,
			framework.IntValues("LANES", c.lanes, "R", c.r, "ROLLED", c.rolled, "THREADS", c.threads, "BLOCKS", c.blocks, "AHEAD", c.ahead))
	}
}

// A run does not depend on the one before, whose match was better.
func TestRunsAreIndependent(t *testing.T) {
	d := simtest.Open(t, sim.Checks())
	s := shape{600, 32, 21, 9} // several blocks find the match
	params := setting(600, 32, 21, 9)
	perfect := equals(s)
	clear(perfect.signal)
	for _, name := range []string{"v2", "v5"} {
		v := Factory().VersionOn(name, framework.GPU)
		a, err := v.New(framework.Env{Device: d}, perfect, v.Defaults(params, d.Facts()))
		if err != nil {
			t.Fatal(err)
		}
		g := a.(*gpuRun)
		if g.plan.slots < 2 {
			t.Errorf("%s: %d block, want several", name, g.plan.slots)
		}
		if err := g.PreRun(); err != nil {
			t.Fatal(err)
		}
		for i, p := range []*problem{perfect, makeProblem(s, 1), makeProblem(s, 2)} {
			for name, values := range p.inputs() {
				if err := gpu.Upload(d, g.buffers[name], values); err != nil {
					t.Fatal(err)
				}
			}
			g.p = p
			if err := g.Run(); err != nil {
				t.Fatal(err)
			}
			checks, err := g.Verify()
			if err != nil {
				t.Fatal(err)
			}
			if bad := failed(checks); bad != nil {
				t.Errorf("%s: run %d: %v", name, i, bad)
			}
			slots := make([]uint64, g.plan.slots)
			if err := gpu.Download(d, slots, g.buffers[slotsBuffer]); err != nil {
				t.Fatal(err)
			}
			if j := slices.IndexFunc(slots, func(x uint64) bool { return x != 1<<64-1 }); j >= 0 {
				t.Errorf("%s: run %d leaves key %#x in slot %d", name, i, slots[j], j)
			}
		}
		if err := g.PostRun(); err != nil {
			t.Error(err)
		}
	}
}

// Signals that resemble no pattern: small differences decide, so that a term
// that is missing or wrong shows.
func TestUnrelatedSignalsOnGPU(t *testing.T) {
	d := simtest.Open(t, sim.Checks())
	params := setting(3, 32, 101, 50)
	for seed := range uint64(12) {
		p := makeProblem(shapeOf(params), seed)
		want := p.best()
		for _, name := range gpuNames {
			got := matchOf(t, d, name, p, params)
			if got.pattern != want.pattern || got.shift != want.shift || got.gain != want.gain {
				t.Errorf("seed %d: %s: match %v, want %v", seed, name, got, want)
			}
		}
	}
}

func TestCloseEnergiesOnGPU(t *testing.T) {
	d := simtest.Open(t, sim.Checks())
	for better, p := range closeEnergies() {
		for _, name := range gpuNames {
			if got := matchOf(t, d, name, p, setting(1, 32, 101, 50)); got.shift != better {
				t.Errorf("%s: shift %d, want %d", name, got.shift, better)
			}
		}
	}
}
