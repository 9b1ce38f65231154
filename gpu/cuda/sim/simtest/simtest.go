// Package simtest opens the simulator for tests.
package simtest

import (
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
)

// Open returns a simulator of seed 1 that is closed when the test ends.
func Open(t *testing.T, options ...sim.Option) gpu.Device {
	t.Helper()
	d, err := sim.Open(1, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}
