package qr

import (
	"math"
	"testing"

	"example.org/bench/framework"
)

// TestWorkMatchesProfiler compares the hand counts with what Nsight Compute
// 2025.3.1 counted on an NVIDIA H200, kernels compiled by NVRTC 13.0, by
// bench verify --counts.
func TestWorkMatchesProfiler(t *testing.T) {
	thin := shape{M: 200, N: 5, Batch: 2}
	for _, x := range []struct {
		name                 string
		got                  framework.Work
		flops, loads, stores int64
	}{
		{"v1", loopedWork(thin, 1, 256), 32220, 150160, 93520},
		{"v2", loopedWork(thin, 2, 256), 32220, 48000, 32200},
		{"v3", loopedWork(thin, 3, 256), 35580, 48000, 32200},
		{"v4", times(7, blockWork(4, 512)), 4312224, 24657920, 13004544},
		{"v5", times(7, blockWork(5, 512)), 4312224, 114688, 287616},
		{"v6", times(7, blockWork(6, 512)), 4312224, 114688, 229376},
		{"v8", times(7, blockWork(8, 512)), 5577152, 114688, 229376},
		{"registers, a warp, G = 4", times(5000, registersWork(32, 4)), 3107840000, 81920000, 163840000},
		{"registers, two warps", times(7, registersWork(64, 8)), 5189632, 114688, 229376},
	} {
		for _, c := range []struct {
			name             string
			got, want, bound float64
		}{
			{"FLOPs", float64(x.got.FLOPs), float64(x.flops), 0.01},
			{"load bytes", float64(x.got.LoadBytes), float64(x.loads), 0.001},
			{"store bytes", float64(x.got.StoreBytes), float64(x.stores), 0.001},
		} {
			if off := c.got/c.want - 1; math.Abs(off) > c.bound {
				t.Errorf("%s: %s are %.0f, the profiler's %.0f: %.2f %% off", x.name, c.name, c.got, c.want, 100*off)
			}
		}
	}
}
