package engine

import (
	"bytes"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver/drivertest"
)

// after closes a channel once the bubble's clock has gone on by d.
func after(d time.Duration) <-chan struct{} {
	quit := make(chan struct{})
	time.AfterFunc(d, func() { close(quit) })
	return quit
}

// near reports whether x is within 1 % of want.
func near(x, want float64) bool { return x > 0.99*want && x < 1.01*want }

// TestLoadsAreAsAsked, by a clock that goes on only while they sleep, so that it does not
// matter what else the machine does.
func TestLoadsAreAsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		buffer := make([]uint64, 8*streamChunk)
		for _, asked := range []float64{50e6, 1e9} {
			if got := stream(buffer, asked, after(time.Second)); !near(got, asked) {
				t.Errorf("%.4g bytes per second were read, asked for %.4g", got, asked)
			}
		}
	})
}

// TestGPULoadsAreAsAsked: launches fill their share of the time and no more; copies are
// waited for every two milliseconds or so, and go through the whole buffer.
func TestGPULoadsAreAsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		stub := drivertest.Build(t)
		g := stub.Open(t)
		defer g.Close()
		loaded := func(load framework.Beside, d time.Duration, also func(*gpuLoad)) (was float64, calls []string) {
			l, err := openGPULoad(g, load)
			if err != nil {
				t.Fatal(err)
			}
			calls = stub.Trace(func() { was, err = l.keep(after(d)) })
			if err != nil {
				t.Fatal(err)
			}
			if also != nil {
				also(l)
			}
			if err := l.PostRun(); err != nil {
				t.Error(err)
			}
			return was, calls
		}
		for _, share := range []float64{0.2, 0.5, 1} {
			// The stand-in's launches take longer where the machine is busy, and are fewer then: as
			// others are that follow.
			for tries := 1; ; tries++ {
				asked, took := time.Duration(share*float64(beat)), 0.0
				was, calls := loaded(framework.Beside{GPU: share}, time.Second, func(l *gpuLoad) {
					const launches = 20
					for range launches {
						one, err := l.compute(asked)
						if err != nil {
							t.Fatal(err)
						}
						took += one / launches
					}
				})
				n := count(calls, "cuLaunchKernel")
				least := int(90 * min(1, asked.Seconds()/took))
				if n > 101 || !near(was, share) {
					t.Errorf("a share of %v: %v in %d launches, want about one in 10 ms", share, was, n)
				} else if n < least && tries < 20 {
					continue
				} else if n < least {
					t.Errorf("a share of %v: %d launches in a second, want %d, which is about one in 10 ms where each takes %.3g ms", share, n, least, 1e3*took)
				}
				break
			}
		}
		const asked = 40e9
		was, calls := loaded(framework.Beside{GPUBandwidth: asked}, 40*time.Millisecond, func(l *gpuLoad) {
			in, out := make([]byte, l.bytes), make([]byte, l.bytes)
			if err := gpu.Download(g, in, l.in); err != nil {
				t.Fatal(err)
			}
			if err := gpu.Download(g, out, l.out); err != nil || !bytes.Equal(in, out) {
				t.Errorf("not all of the buffer was copied to its place: %v", err)
			}
		})
		copies, waits := count(calls, "cuMemcpyDtoDAsync"), count(calls, "cuEventSynchronize")
		if want := asked * 0.04 / (2 * copyBytes); was < 0.99*asked || was > 1.06*asked || float64(copies) < 0.99*want || float64(copies) > 1.06*want || waits < 15 || waits > 25 {
			t.Errorf("%.4g bytes per second in %d copies, of which %.0f are needed, and %d waits", was, copies, want, waits)
		}
	})
}
