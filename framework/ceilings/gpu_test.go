package ceilings

import (
	"math"
	"testing"

	"example.org/bench/gpu/cuda/driver/drivertest"
)

// Events that stand still give no rate: it would be infinite, which no JSON can say.
func TestNoTimeIsNoRate(t *testing.T) {
	stub := drivertest.Build(t)
	g := stub.Open(t)
	t.Cleanup(func() { g.Close() })
	if err := g.Bind(); err != nil {
		t.Fatal(err)
	}
	d := &device{gpu: g}
	var err error
	if d.start, err = g.NewEvent(); err != nil {
		t.Fatal(err)
	}
	if d.end, err = g.NewEvent(); err != nil {
		t.Fatal(err)
	}
	if d.stream, err = g.NewStream(); err != nil {
		t.Fatal(err)
	}
	if least, err := d.best(0, nil, func() error { return nil }); err == nil || err.Error() != "it takes no time by the GPU's events" {
		t.Errorf("%v s, %v", least, err)
	}
	stub.Set("event_floor_ns", 2000)
	if least, err := d.best(0, nil, func() error { return nil }); err != nil || math.Abs(least-2e-6) > 1e-12 {
		t.Errorf("%v s, %v; want 2 µs", least, err)
	}
}
