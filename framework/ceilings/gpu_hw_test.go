//go:build gpu

package ceilings

import (
	"runtime"
	"testing"
	"time"

	"example.org/bench/gpu/cuda/driver"
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
	if l.L2 < l.Copy || l.L2Written < l.Copy/2 || l.L2Written > 1.1*l.L2 || l.Shared < l.L2 || l.SFU > l.FMA || l.SFU <= 0 {
		t.Errorf("L2 %.3g and %.3g B/s, shared memory %.3g B/s, special functions %.3g /s beside a copy of %.3g B/s", l.L2, l.L2Written, l.Shared, l.SFU, l.Copy)
	}
	if !(0 < l.SharedLatency && l.SharedLatency < l.L2Latency && l.L2Latency < l.MemoryLatency && l.MemoryLatency < 1e-5) {
		t.Errorf("latencies %.3g, %.3g, %.3g s", l.SharedLatency, l.L2Latency, l.MemoryLatency)
	}
	if !(0 < l.Launch && l.Launch < 1e-4 && 0 < l.EmptyLaunch && l.EmptyLaunch < 1e-4 && 0 < l.AtomicInteger && l.AtomicInteger < 1e-6 && 0 < l.AtomicFloat && l.AtomicFloat < 1e-6) {
		t.Errorf("launches %.3g and %.3g s, atomic additions %.3g and %.3g s", l.Launch, l.EmptyLaunch, l.AtomicInteger, l.AtomicFloat)
	}
	if !(l.AtomicInteger/2 < l.AtomicLine && l.AtomicLine < 1e-6 && 1/l.AtomicLine < l.AtomicSectors && l.AtomicSectors < l.L2Sectors) {
		t.Errorf("%.3g s for an atomic addition on a line, %.3g a second on others", l.AtomicLine, l.AtomicSectors)
	}
	if peak := 128 * float64(f.Multiprocessors) * float64(f.ClockHz); l.Shared > 1.05*peak || l.L2Sectors > 1.05*l.L2/32 || l.L2Sectors < 0.1*l.L2/32 {
		t.Errorf("shared memory %.3g B/s of %.3g, %.3g single sectors a second where the L2 cache gives %.3g B/s", l.Shared, peak, l.L2Sectors, l.L2)
	}
	if !(0 < l.MemorySectors && l.MemorySectors < l.L2Sectors && 0 < l.MemorySectorsWritten && l.MemorySectorsWritten < l.L2Sectors) {
		t.Errorf("%.3g single sectors a second from memory and %.3g to it, where the L2 cache gives %.3g", l.MemorySectors, l.MemorySectorsWritten, l.L2Sectors)
	}
	if l.Constants > 4*float64(f.Multiprocessors)*float64(f.ClockHz) || l.Blocks > 1e11 || !(l.Constants > 0 && l.Blocks > 0) {
		t.Errorf("%.3g constants and %.3g blocks a second", l.Constants, l.Blocks)
	}
	if wall > 3*time.Second {
		t.Errorf("took %v", wall)
	}
}
