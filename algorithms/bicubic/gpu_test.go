package bicubic

import (
	"math"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/gpu/cuda/sim"
	"example.org/bench/gpu/cuda/sim/simtest"
)

// The simulator reports races in shared memory.
func TestSharedMemory(t *testing.T) {
	d := simtest.Open(t, sim.Checks())
	for i, basis := range []string{"hermite", "bspline"} {
		params := setting(21, 45, 5, 3, basis)
		algorithmtest.Solve(t, Factory(), d, "v2", params, framework.IntValues("BX", 16>>i, "BY", 8))
		algorithmtest.Solve(t, Factory(), d, "v3", params, framework.IntValues("BX", 16, "BY", 4<<i, "TILE", 16<<i))
	}
}

func TestFusedTunables(t *testing.T) {
	d := simtest.Open(t, sim.Checks())
	for i, c := range []struct{ rows, cols, r, c, bx, by, vector, run, store int }{
		{37, 40, 8, 2, 32, 1, 4, 8, 0}, {37, 40, 3, 2, 8, 4, 2, 16, 1}, {37, 40, 1, 2, 32, 2, 1, 64, 2},
		{9, 24, 2, 3, 32, 1, 4, 3, 0}, {9, 24, 2, 12, 32, 1, 4, 1, 0}, {9, 24, 2, 5, 4, 4, 2, 4, 0},
		{9, 24, 4, 1, 32, 1, 4, 2, 0}, {9, 24, 4, 4, 32, 1, 2, 2, 0}, {9, 23, 16, 7, 16, 2, 1, 5, 0},
	} {
		algorithmtest.Solve(t, Factory(), d, "v5", setting(c.rows, c.cols, c.r, c.c, []string{"hermite", "bspline"}[i%2]),
			framework.IntValues("BX", c.bx, "BY", c.by, "VECTOR", c.vector, "RUN", c.run, "BLOCKS", 1, "STORE", c.store))
	}
}

// v4 runs what is larger than the device's memory, with its own defaults, and in
// chunks that end within the input, alone and one row each.
func TestSplitBeyondDeviceMemory(t *testing.T) {
	params := setting(100, 64, 8, 2, "hermite") // 410 KB of output
	facts := simtest.Open(t).Facts()
	facts.GlobalBytes = 300_000
	d, err := sim.OpenAs(facts, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	v := Factory().VersionOn("v4", framework.GPU)
	tunables := v.Defaults(params, d.Facts())
	if tunables.Int("STAGED") != 1 || tunables.Int("CHUNK_ROWS") >= 100 {
		t.Fatalf("on a device of %d bytes the defaults are %v", d.Facts().GlobalBytes, tunables)
	}
	if need := v.DeviceBytes(params, tunables); need > facts.GlobalBytes {
		t.Errorf("the defaults %v need %d bytes", tunables, need)
	}
	algorithmtest.Solve(t, Factory(), d, "v4", params, tunables)

	a, err := Factory().VersionOn("v3", framework.GPU).New(framework.Env{Device: d}, testProblem(t, params), framework.IntValues("BX", 32, "BY", 8, "TILE", 32))
	if err != nil {
		t.Fatal(err)
	}
	if a.PreRun() == nil {
		t.Errorf("v3 found %d bytes on a device of %d", shapeOf(params).outBytes(), facts.GlobalBytes)
	}
	if err := a.PostRun(); err != nil {
		t.Error(err)
	}

	small := setting(11, 33, 3, 2, "bspline")
	for _, rows := range []int{1, 2, 3, 4, 10, 11, 50} {
		for staged := range 2 {
			algorithmtest.Solve(t, Factory(), d, "v4", small, framework.IntValues("BX", 8, "BY", 4, "TILE", 16, "CHUNK_ROWS", rows, "STAGED", staged))
		}
	}
}

// TestLightRequests compares the bytes that v1 asks for with a profiler's
// count: Nsight Compute on an H200, 512 x 2048 by 8 and 2, blocks of 32 x 8.
func TestLightRequests(t *testing.T) {
	const profiled = 536608768
	got := 4 * requests(4096, 32, 32, 2048, 2) * requests(4096, 8, 1, 512, 8)
	if d := math.Abs(float64(got)/profiled - 1); d > 1e-3 {
		t.Errorf("%d bytes, the profiler counts %d: %.2f %% off", got, profiled, 100*d)
	}
}
