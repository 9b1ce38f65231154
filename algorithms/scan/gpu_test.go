package scan

import (
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
	"example.org/bench/gpu/cuda/sim/simtest"
)

// kindAndMode rotates through types and modes, so that a few compilations
// cover them.
func kindAndMode(i int) (kind, mode string) {
	return []string{"f32", "f64", "i32"}[i%3], []string{"inclusive", "exclusive"}[i%2]
}

// The literature's points (Fig. 4b) and others where a sequence is part of a
// row, some rows, or some warps; the simulator reports races in shared memory.
func TestBlockTunables(t *testing.T) {
	d := simtest.Open(t, sim.Checks())
	for i, c := range []struct{ n, p, l int }{
		{64, 2, 128}, {128, 4, 128}, {256, 4, 64}, {512, 4, 256}, {1024, 2, 512}, {2048, 4, 512}, {4096, 4, 1024},
		{64, 32, 32}, {128, 16, 32}, {256, 32, 32}, {512, 16, 64}, {512, 32, 64}, {2048, 8, 256},
	} {
		kind, mode := kindAndMode(i)
		algorithmtest.Solve(t, Factory(), d, []string{"lf", "ks"}[i/2%2], setting(int64(c.n), 7, kind, mode), blockTunables(c.n, c.p, c.l, 1, i/3%2))
	}
}

// Many more tiles than blocks, and blocks that wait for each other in the
// orders that the simulator takes.
func TestLookbackTunables(t *testing.T) {
	for i, c := range []struct {
		n, batch                  int64
		p, l, b, w, stages, ahead int
		multiprocessors           int
	}{
		{9000, 1, 4, 32, 1, 1, 2, 0, 1}, {20001, 3, 4, 64, 2, 2, 3, 1, 3}, {9000, 5, 8, 32, 4, 8, 2, 1, 16},
		{24000, 2, 16, 128, 1, 1, 4, 3, 1}, {30000, 1, 8, 32, 2, 4, 6, 2, 16}, {20000, 3, 4, 32, 8, 1, 2, 1, 16},
		{6000, 2, 4, 32, 1, 1, 3, 0, 20}, {129, 60, 4, 32, 1, 1, 4, 2, 8}, {20000, 1, 4, 32, 1, 1, 3, 2, 70},
	} {
		facts := simtest.Open(t).Facts()
		facts.Multiprocessors = c.multiprocessors
		var options []sim.Option
		if i%3 == 0 { // the simulator is slower then
			options = append(options, sim.Checks())
		}
		d, err := sim.OpenAs(facts, uint64(i), options...)
		if err != nil {
			t.Fatal(err)
		}
		kind, mode := kindAndMode(i)
		algorithmtest.Solve(t, Factory(), d, "lookback", setting(c.n, c.batch, kind, mode), lookbackSettings(c.p, c.l, c.b, c.w, c.stages, c.ahead, i/2%2))
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}

func lookbackSettings(p, l, b, w, stages, ahead, async int) framework.Values {
	return framework.IntValues("P", p, "L", l, "BLOCKS", b, "W", w, "STAGES", stages, "AHEAD", ahead, "ASYNC", async, "STREAM", async*2)
}

// A launch does not take a sum of an earlier one for its own: with other inputs,
// such a sum shows.
func TestLookbackRepeats(t *testing.T) {
	d := simtest.Open(t, sim.Checks())
	for _, tiles := range []int64{1, 3, 40} {
		for async, stages := range []int{2, 4} {
			params := setting(256*tiles-5, 1, "f32", "inclusive")
			tunables := lookbackSettings(4, 64, 1, 1, stages, stages/2, async)
			v := lookbackVersion()
			q := testProblem(t, params)
			a, err := v.New(framework.Env{Device: d}, q, tunables)
			if err != nil {
				t.Fatal(err)
			}
			g := a.(*gpuRun)
			if err := g.PreRun(); err != nil {
				t.Fatal(err)
			}
			for run := range 6 {
				other, err := newProblem(framework.Env{Seed: uint64(run)}, params)
				if err != nil {
					t.Fatal(err)
				}
				if err := other.(input).upload(d, g.arguments[0].(gpu.Pointer)); err != nil {
					t.Fatal(err)
				}
				if err := g.Run(); err != nil {
					t.Fatalf("%d tiles, %d stages, run %d: %v", tiles, stages, run, err)
				}
				checks, err := other.(input).verifyDevice(d, g.out, g.plan.chain)
				if err != nil {
					t.Fatal(err)
				}
				if !algorithmtest.Good(checks) {
					t.Fatalf("%d tiles, %d stages, run %d: %v", tiles, stages, run, checks)
				}
				other.Close()
			}
			if err := g.PostRun(); err != nil {
				t.Error(err)
			}
		}
	}
}
