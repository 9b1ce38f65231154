package fft

import (
	"testing"

	"bench/cuda/sim"
	"bench/cuda/sim/simtest"
)

// TestColumns runs two passes by clusters of every size, few at a time, so
// that each takes several tiles.
func TestColumns(t *testing.T) {
	for _, x := range []struct {
		n         int64
		blocks    int64
		batch     int64
		direction string
	}{
		{1 << 18, 1, 1, "forward"},
		{1 << 19, 2, 1, "inverse"},
		{1 << 21, 4, 1, "forward"},
		{1 << 23, 8, 1, "forward"},
	} {
		d := simtest.Open(t, sim.Resident(int(3*x.blocks)))
		solve(t, d, params(x.n, x.n*x.batch, "f32", x.direction), inCluster(x.blocks))
	}
}
