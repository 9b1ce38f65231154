//go:build gpu

package ceilings

import (
	"runtime"
	"testing"
	"time"

	"bench/cuda/driver"
)

func TestHardwareCeilings(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	g, err := driver.Open(0)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	begin := time.Now()
	copied, fma32, fma64, err := GPU(g)
	wall := time.Since(begin)
	t.Logf("copy %.3f TB/s, float32 %.2f TFLOP/s, float64 %.2f TFLOP/s in %v", copied/1e12, fma32/1e12, fma64/1e12, wall)
	if err != nil {
		t.Fatal(err)
	}
	f := g.Facts()
	if peak := float64(f.Multiprocessors) * 128 * 2 * float64(f.ClockHz); fma32 > 1.01*peak || fma32 < 0.25*peak {
		t.Errorf("float32 %.3g FLOP/s against %.3g by clock and cores", fma32, peak)
	}
	if wall > time.Second {
		t.Errorf("took %v", wall)
	}
}
