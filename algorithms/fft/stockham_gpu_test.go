package fft

import (
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
	"example.org/bench/gpu/cuda/sim/simtest"
)

// TestStockhamSizes runs the defaults of a Jetson over sizes of one and of
// several kernels; those of a server GPU are the simulator's.
func TestStockhamSizes(t *testing.T) {
	d, err := sim.OpenAs(boards[0], 1)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for _, x := range []struct {
		n, batch             int64
		precision, direction string
	}{
		{64, 77, "f32", "inverse"},
		{512, 9, "f64", "forward"},
		{8192, 2, "f64", "forward"},
		{32768, 2, "f32", "inverse"},
	} {
		solve(t, d, params(x.n, x.n*x.batch, x.precision, x.direction), nil)
	}
}

// solve is Solve of stockham.
func solve(t *testing.T, d gpu.Device, p, tunables framework.Values) {
	t.Helper()
	algorithmtest.Solve(t, Factory(), d, "stockham", p, tunables)
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
					solve(t, d, p, x)
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
	d := simtest.Open(t, sim.Checks())
	for _, x := range []struct{ n, batch, s, p, r, split int64 }{
		{1024, 35, 1024, 8, 8, 1},
		{2048, 20, 2048, 16, 16, 0},
		{512, 50, 256, 8, 8, 1},
		{4096, 37, 2048, 16, 16, 1},
		{2048, 37, 1024, 16, 16, 1},
	} {
		solve(t, d, params(x.n, x.n*x.batch, "f32", "forward"), ahead(x.s, x.p, x.r, x.split, 1))
	}
}

// TestStayWide runs blocks whose first exchange takes the room of the next
// transform.
func TestStayWide(t *testing.T) {
	d := simtest.Open(t, sim.Checks())
	for _, x := range []struct{ n, batch, p, r, split int64 }{
		{1024, 35, 16, 16, 1},
		{512, 50, 8, 8, 0},
		{2048, 20, 32, 16, 1},
	} {
		solve(t, d, params(x.n, x.n*x.batch, "f32", "forward"), aheadWide(x.n, x.p, x.r, x.split, 1))
	}
}

// TestFused runs both passes in one kernel, with whole and broken chunks.
func TestFused(t *testing.T) {
	d := simtest.Open(t, sim.Checks())
	for _, x := range []struct{ n, batch, s, p, r, split, chunk, lag int64 }{
		{4096, 11, 1024, 8, 8, 1, 8192, 2},
		{8192, 3, 1024, 16, 16, 0, 8192, 1},
	} {
		solve(t, d, params(x.n, x.n*x.batch, "f32", "forward"), chunked(x.s, x.p, x.r, x.split, 1, x.chunk, x.lag))
	}
}

// TestExchanges runs what the tests above do not in a simulator that says where
// two threads of a block use one word of shared memory with no barrier between.
func TestExchanges(t *testing.T) {
	d := simtest.Open(t, sim.Checks())
	solve(t, d, params(256, 256*5, "f32", "forward"), tunables(512, 8, 64, 8, 0, 1))     // within a warp
	solve(t, d, params(4096, 4096*2, "f32", "forward"), tunables(1024, 8, 128, 8, 1, 1)) // two passes
}
