package fft

import (
	"fmt"
	"strings"
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
	"example.org/bench/gpu/cuda/sim/simtest"
)

// TestClustered runs clusters of every size, one at a time, so that each takes
// several transforms.
func TestClustered(t *testing.T) {
	for _, x := range []struct {
		blocks, batch int64
		direction     string
	}{
		{2, 3, "forward"},
		{4, 2, "inverse"},
		{8, 2, "forward"},
		{16, 3, "inverse"},
	} {
		options := []sim.Option{sim.Resident(int(x.blocks))}
		if x.blocks == 2 {
			options = append(options, sim.Checks())
		}
		d := simtest.Open(t, options...)
		n := clusterElements * x.blocks
		solve(t, d, params(n, n*x.batch, "f32", x.direction), inCluster(x.blocks))
	}
}

// TestClustersNeed holds the default to what the device and its compiler have.
func TestClustersNeed(t *testing.T) {
	h200 := boards[len(boards)-1]
	p := params(1<<17, 1<<26, "f32", "forward")
	for compiler, want := range map[string]int64{
		"NVRTC 13.0": 16, "NVRTC 12.1": 16, "g++ 12.2.0": 16, "NVRTC 12.0": 0, "NVRTC 11.8": 0, "": 0,
	} {
		h200.CompilerVersion = compiler
		if got := stockhamDefaults(p, h200).Int("CLUSTER"); got != want {
			t.Errorf("%q: clusters of %d blocks, want %d", compiler, got, want)
		}
		if err := stockhamValid(p, inCluster(16), h200); (err == nil) != (want > 0) {
			t.Errorf("%q: %v", compiler, err)
		}
	}
	h200.CompilerVersion = "NVRTC 13.0"
	for _, change := range []func(f *gpu.Facts){
		func(f *gpu.Facts) { f.ComputeMajor = 8 },
		func(f *gpu.Facts) { f.SharedOptIn = 99 << 10 },
	} {
		f := h200
		change(&f)
		if got := stockhamDefaults(p, f).Int("CLUSTER"); got != 0 {
			t.Errorf("%+v: clusters of %d blocks", f, got)
		}
	}
	for _, x := range []struct {
		n         int64
		precision string
		part      string
	}{
		{1 << 16, "f32", "wants N = 131072"},
		{1 << 17, "f64", "single precision"},
	} {
		err := stockhamValid(params(x.n, 1<<26, x.precision, "forward"), inCluster(16), h200)
		if !strings.Contains(fmt.Sprint(err), x.part) {
			t.Errorf("N = %d, %s: %v, want %q", x.n, x.precision, err, x.part)
		}
	}
}
