package opencl

import (
	"math"
	"slices"
	"testing"
	"time"

	"example.org/bench/framework/ceilings"
)

// Every ceiling that a device of OpenCL has is measured, and what takes longer by far is told apart: a round of many work-groups from one
// launch, a batch of launches from one.
func TestCeilings(t *testing.T) {
	d := open(t)
	launched := 0
	l, err := ceilings.OpenCL(d, func(work func() error) (float64, error) {
		launched++
		begin := time.Now()
		err := work()
		if e := d.Synchronize(0); err == nil {
			err = e
		}
		return time.Since(begin).Seconds(), err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d runs: %+v", launched, l)
	// Bounds that a CPU of any year keeps, however busy it is. A virtual machine may not say how large its caches are.
	cache := []string{"read from the cache", "written to it", "the cache's"}
	sized := d.Facts().L2Bytes > 0
	for name, x := range map[string][3]float64{
		"copy": {l.Copy, 1e6, 1e13}, "multiply-adds": {l.FMA, 1e6, 1e14}, "in double precision": {l.FMA64, 1e6, 1e14},
		"read from the cache": {l.L2, 1e6, 1e14}, "written to it": {l.L2Written, 1e6, 1e14}, "local memory": {l.Shared, 1e6, 1e14},
		"its latency": {l.SharedLatency, 1e-11, 1e-5}, "the cache's": {l.L2Latency, 1e-10, 1e-5}, "memory's": {l.MemoryLatency, 1e-10, 1e-4},
		"a launch": {l.Launch, 1e-8, 0.1}, "one launch": {l.EmptyLaunch, 1e-8, 0.1}, "work-groups": {l.Blocks, 10, 1e12},
	} {
		if !sized && slices.Contains(cache, name) {
			if x[0] != 0 {
				t.Errorf("%s: %g of a cache whose size is not known", name, x[0])
			}
			continue
		}
		if !(x[0] > x[1] && x[0] < x[2]) || math.IsInf(x[0], 0) {
			t.Errorf("%s: %g, want from %g to %g", name, x[0], x[1], x[2])
		}
	}
}
