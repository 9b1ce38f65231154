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
	l, err := GPU(g)
	wall := time.Since(begin)
	t.Logf("%+v in %v", l, wall)
	if err != nil {
		t.Fatal(err)
	}
	f := g.Facts()
	if peak := float64(f.Multiprocessors) * 128 * 2 * float64(f.ClockHz); l.FMA > 1.01*peak || l.FMA < 0.25*peak {
		t.Errorf("float32 %.3g FLOP/s against %.3g by clock and cores", l.FMA, peak)
	}
	if l.L2 < l.Copy || l.Shared < l.L2 || l.SFU > l.FMA || l.SFU <= 0 {
		t.Errorf("L2 %.3g B/s, shared memory %.3g B/s, special functions %.3g /s beside a copy of %.3g B/s", l.L2, l.Shared, l.SFU, l.Copy)
	}
	if !(0 < l.SharedLatency && l.SharedLatency < l.L2Latency && l.L2Latency < l.MemoryLatency && l.MemoryLatency < 1e-5) {
		t.Errorf("latencies %.3g, %.3g, %.3g s", l.SharedLatency, l.L2Latency, l.MemoryLatency)
	}
	if !(0 < l.Launch && l.Launch < 1e-4 && 0 < l.EmptyLaunch && l.EmptyLaunch < 1e-4 && 0 < l.AtomicSame && l.AtomicSame < 1e-6) {
		t.Errorf("launches %.3g and %.3g s, atomic additions %.3g s", l.Launch, l.EmptyLaunch, l.AtomicSame)
	}
	if wall > 3*time.Second {
		t.Errorf("took %v", wall)
	}
}
