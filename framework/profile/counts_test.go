package profile

import (
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
)

func TestCountsWithinBounds(t *testing.T) {
	at := func(flops, loads, stores int64) Counted {
		return Counted{Work: framework.Work{FLOPs: flops, LoadBytes: loads, StoreBytes: stores}, GPU: Run{1, 1000, 1000, 1000}}
	}
	for _, c := range []struct {
		c    Counted
		want bool
	}{
		{at(1000, 1000, 1000), true},
		{at(1019, 951, 1049), true},
		{at(1021, 1000, 1000), false},
		{at(979, 1000, 1000), false},
		{at(1000, 1051, 1000), false},
		{at(1000, 1000, 949), false},
		{at(0, 1000, 1000), false},
		{Counted{Work: framework.Work{FLOPs: 1}}, false}, // nothing was counted
		{Counted{}, true},
		{Counted{Failed: "lost"}, false},
	} {
		if c.c.OK() != c.want {
			t.Errorf("%+v: ok is %v", c.c, c.c.OK())
		}
	}
}

// TestRunOfCounters: a fused multiply-add is two operations, and copies to shared memory are loads; a counter that
// is missing or no count is refused by name.
func TestRunOfCounters(t *testing.T) {
	values := func() map[string]float64 {
		v := map[string]float64{}
		for i, name := range counters() {
			v[name] = float64(int(1) << i)
		}
		return v
	}
	got, err := runOf(record.Counters{Kernels: 2, Values: values()})
	// Loads 1 and 2, stores 4, then by name: dadd 8, dfma 16, dmul 32, fadd 64, ffma 128, fmul 256.
	if want := (Run{2, 8 + 2*16 + 32 + 64 + 2*128 + 256, 3, 4}); err != nil || got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	for _, name := range counters() {
		v := values()
		delete(v, name)
		if _, err := runOf(record.Counters{Values: v}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s: %v", name, err)
		}
		for _, x := range []float64{-1, 1e300} {
			v[name] = x
			if _, err := runOf(record.Counters{Values: v}); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s of %v: %v", name, x, err)
			}
		}
	}
}
