package fft

import (
	"fmt"
	"testing"

	"bench/cuda"
	"bench/cuda/sim"
	"bench/cuda/sim/simtest"
	"bench/framework"
)

// runGPU runs and verifies version v once.
func runGPU(t *testing.T, d cuda.Device, p, tunables framework.Values) framework.Work {
	t.Helper()
	at := fmt.Sprint(p, tunables)
	v := stockhamGPU()
	if tunables == nil {
		tunables = v.Defaults(p, d.Facts())
	}
	if err := v.Valid(p, tunables, d.Facts()); err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	q, err := newProblem(framework.Env{Seed: 3, Workers: 2}, p)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	a, err := v.New(framework.Env{Seed: 3, Device: d}, q, tunables)
	if err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	if err := a.PreRun(); err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	defer func() {
		if err := a.PostRun(); err != nil {
			t.Errorf("%s: %v", at, err)
		}
	}()
	if err := a.Run(); err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	checks, err := a.Verify()
	if err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	for _, c := range checks {
		if !c.OK() {
			t.Errorf("%s: %s is %g, over %g", at, c.Metric, c.Error, c.Bound)
		}
	}
	return a.Work()
}

// TestStockhamSizes runs the defaults of a Jetson and of a server GPU over
// sizes of one and of several kernels, with batches that fill no whole block.
func TestStockhamSizes(t *testing.T) {
	for _, board := range []cuda.Facts{boards[0], boards[len(boards)-1]} {
		t.Run(board.Name, func(t *testing.T) {
			d, err := sim.OpenAs(board, 1)
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			for _, x := range []struct {
				n, batch             int64
				precision, direction string
			}{
				{64, 1, "f32", "forward"},
				{64, 77, "f32", "inverse"},
				{512, 9, "f64", "forward"},
				{4096, 3, "f32", "inverse"},
				{8192, 2, "f64", "forward"},
				{16384, 3, "f32", "forward"},
				{32768, 2, "f32", "inverse"},
				{65536, 1, "f32", "forward"},
			} {
				runGPU(t, d, params(x.n, x.n*x.batch, x.precision, x.direction), nil)
			}
		})
	}
}

// TestStockhamTunables runs every allowed S, P, L, r and SPLIT for small N.
func TestStockhamTunables(t *testing.T) {
	d := simtest.Open(t)
	v := stockhamGPU()
	run := 0
	p := params(64, 64*5, "f32", "forward")
	for s := int64(128); s <= 256; s *= 2 {
		for _, points := range v.Tunables[1].Values {
			for _, r := range v.Tunables[3].Values {
				for split := range int64(2) {
					x := tunables(s, points, s/points, r, split, 1)
					if v.Valid(p, x, d.Facts()) != nil {
						continue
					}
					runGPU(t, d, p, x)
					run++
				}
			}
		}
	}
	if run != 18 {
		t.Errorf("%d combinations are valid, want 18", run)
	}
}

// TestStay runs blocks that stay, fewer than there are transforms, whole and
// in halves.
func TestStay(t *testing.T) {
	d := simtest.Open(t)
	for _, x := range []struct{ n, batch, s, p, r, split int64 }{
		{1024, 35, 1024, 8, 8, 1},
		{2048, 20, 2048, 16, 16, 0},
		{512, 50, 256, 8, 8, 1},
		{4096, 37, 2048, 16, 16, 1},
		{2048, 37, 1024, 16, 16, 1},
	} {
		runGPU(t, d, params(x.n, x.n*x.batch, "f32", "forward"), ahead(x.s, x.p, x.r, x.split, 1))
	}
}

// TestStayWide runs blocks whose first exchange takes the room of the next
// transform.
func TestStayWide(t *testing.T) {
	d := simtest.Open(t)
	for _, x := range []struct{ n, batch, p, r, split int64 }{
		{1024, 35, 16, 16, 1},
		{512, 50, 8, 8, 0},
		{2048, 20, 32, 16, 1},
	} {
		runGPU(t, d, params(x.n, x.n*x.batch, "f32", "forward"), aheadWide(x.n, x.p, x.r, x.split, 1))
	}
}

// TestFused runs both passes in one kernel, with whole and broken chunks.
func TestFused(t *testing.T) {
	d := simtest.Open(t)
	for _, x := range []struct{ n, batch, s, p, r, split, chunk, lag int64 }{
		{4096, 11, 1024, 8, 8, 1, 8192, 2},
		{8192, 3, 1024, 16, 16, 0, 8192, 1},
	} {
		runGPU(t, d, params(x.n, x.n*x.batch, "f32", "forward"), chunked(x.s, x.p, x.r, x.split, 1, x.chunk, x.lag))
	}
}

// TestNoRaces has the simulator look for two threads of a block that use one
// word of shared memory with no barrier between.
func TestNoRaces(t *testing.T) {
	d := simtest.Open(t, sim.Races())
	for _, x := range []struct {
		n, batch int64
		v        framework.Values
	}{
		{256, 5, tunables(512, 8, 64, 8, 0, 1)},    // exchanges within a warp
		{4096, 2, tunables(1024, 8, 128, 8, 1, 1)}, // two passes
		{1024, 20, ahead(1024, 8, 8, 1, 1)},
		{2048, 20, ahead(1024, 16, 16, 1, 1)},
		{1024, 20, aheadWide(1024, 16, 16, 1, 1)},
		{4096, 5, chunked(1024, 8, 8, 0, 1, 4096, 2)},
	} {
		runGPU(t, d, params(x.n, x.n*x.batch, "f32", "forward"), x.v)
	}
}
