package fft

import (
	"fmt"
	"strings"
	"testing"

	"example.org/bench/gpu/cuda/sim"
	"example.org/bench/gpu/cuda/sim/simtest"
)

// TestColumns runs first passes by clusters of every size, few at a time, so
// that each takes several tiles, before a second pass by tiles or by clusters.
func TestColumns(t *testing.T) {
	for _, x := range []struct {
		blocks, rest, batch int64
		direction           string
	}{
		{1, 32, 3, "forward"},
		{2, 32, 2, "inverse"},
		{4, 32, 1, "forward"},
		{8, 32, 1, "inverse"},
		{1, 512, 1, "forward"},
	} {
		options := []sim.Option{sim.Resident(int(2 * x.blocks))}
		if x.blocks == 2 {
			options = append(options, sim.Checks())
		}
		d := simtest.Open(t, options...)
		n := x.blocks * columnSize * x.rest
		v := inColumns(x.blocks, 512, 16, 16, 1, 1)
		if x.rest == columnSize {
			v = inCluster(x.blocks)
		}
		solve(t, d, params(n, n*x.batch, "f32", x.direction), v)
	}
}

func TestColumnsWant(t *testing.T) {
	h200 := boards[len(boards)-1]
	h200.CompilerVersion = "NVRTC 13.0"
	for n, v := range map[int64]int64{1 << 20: 0, 1 << 21: 4, 1 << 22: 8, 1 << 23: 8} {
		if got := stockhamDefaults(params(n, 1<<26, "f32", "forward"), h200).Int("CLUSTER"); got != v {
			t.Errorf("N = %d: clusters of %d blocks, want %d", n, got, v)
		}
	}
	for _, x := range []struct {
		n, blocks, s int64
		precision    string
		part         string
	}{
		{1 << 21, 16, 16384, "f32", "want 1 to 8 blocks"},
		{1 << 21, 4, 16384, "f64", "single precision"},
		{1 << 16, 2, 16384, "f32", ""},
		{1 << 23, 1, 8192, "f32", "CLUSTER = 1 leaves N/512 = 16384 elements for the second pass: want 32 to S = 8192"},
	} {
		err := stockhamValid(params(x.n, 1<<26, x.precision, "forward"), inColumns(x.blocks, x.s, 32, 32, 1, 1), h200)
		if x.part != "" && !strings.Contains(fmt.Sprint(err), x.part) || x.part == "" && err != nil {
			t.Errorf("N = %d, %d blocks, %s: %v, want %q", x.n, x.blocks, x.precision, err, x.part)
		}
	}
}
