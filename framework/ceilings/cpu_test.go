package ceilings

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"
)

func TestCPUCeilings(t *testing.T) {
	processors := runtime.GOMAXPROCS(0)
	start := time.Now()
	rate, single, double, err := CPU(2)
	if err != nil {
		t.Fatal(err)
	}
	took := time.Since(start).Seconds()
	t.Logf("2 workers: copy %.1f GB/s, FMA %.1f and %.1f GFLOP/s, in %.2f s", rate/1e9, single/1e9, double/1e9, took)
	// Wide enough for an emulated CPU on a loaded machine, and for the largest
	// server: only a wrong count of bytes, lanes or seconds falls outside.
	if rate < 50e6 || rate > 10e12 {
		t.Errorf("copy of %v B/s", rate)
	}
	for _, rate := range []float64{single, double} {
		if rate < 50e6 || rate > 2*256e9*float64(runtime.NumCPU()) {
			t.Errorf("multiply-adds of %v FLOP/s on %d CPUs", rate, runtime.NumCPU())
		}
	}
	// A register holds half as many of the longer numbers; without vectors as many.
	if ratio := double / single; ratio < 0.3 || ratio > 1.5 {
		t.Errorf("float64 at %.2f of the rate of float32, want between a half and 1", ratio)
	}
	if runtime.GOMAXPROCS(0) != processors {
		t.Errorf("GOMAXPROCS was %d, is %d", processors, runtime.GOMAXPROCS(0))
	}
	if _, _, _, err := CPU(0); err == nil {
		t.Error("no workers is no error")
	}
}

// TestFMAKernelsCountTheirFLOPs compares the FLOPs that a kernel claims with
// its lanes: each lane counts its multiply-adds.
func TestFMAKernelsCountTheirFLOPs(t *testing.T) {
	single, double := fmaKernels()
	for _, k := range slices.Concat(single, double, []fmaKernel{portableFMA()}) {
		for _, n := range []int64{1, 2, 1000, 123457} {
			if lanes, each := k.run(n); each != float64(n) || k.flops != 2*float64(lanes) {
				t.Errorf("%v FLOPs an iteration: %d iterations left %v in each of %d lanes", k.flops, n, each, lanes)
			}
		}
	}
}

func TestStreamingCopyCopies(t *testing.T) {
	way := streamingCopy()
	if way == nil {
		if runtime.GOARCH == "amd64" {
			t.Error("no streaming copy on amd64 with AVX2")
		}
		return
	}
	team, free := newTeam(1)
	defer free()
	team.run(func(int) {
		src, room := make([]byte, 1<<20), make([]byte, 1<<20+64)
		r := rand.NewChaCha8([32]byte{1})
		r.Read(src)
		at := 32 - int(uintptr(start(room))%32)
		dst := room[at : at+len(src)]
		way(dst, src)
		if !bytes.Equal(dst, src) {
			t.Error("copy differs from its source")
		}
		if room[at-1] != 0 || room[at+len(src)] != 0 {
			t.Error("copy wrote outside its destination")
		}
	})
}
