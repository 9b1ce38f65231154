package measure

import (
	"math"
	"testing"

	"example.org/bench/framework/config"
)

// TestDirtyFlush: the version pays for lines that a memset left.
func TestDirtyFlush(t *testing.T) {
	d, timer, alg := stub(t)
	timer.flush.kind = config.FlushDirty
	reads, written := d.Get("reads"), d.Get("flushes")
	s, err := timer.Cold(alg)
	median(t, s, err, 60e-6)
	if n := d.Get("flushes") - written; n < int64(len(s.Samples)) || d.Get("reads") != reads || s.Flush != config.FlushDirty {
		t.Errorf("%d memsets for %d samples, %d flushes by reading, %q", n, len(s.Samples), d.Get("reads")-reads, s.Flush)
	}
	for c, want := range map[config.Measure]int64{
		{}:                         4 * int64(timer.gpu.Facts().L2Bytes),
		{Flush: config.FlushDirty}: int64(timer.gpu.Facts().L2Bytes),
		{FlushBytes: 1001, Flush: config.FlushDirty}:    1008,
		{FlushBytes: 1 << 20, Flush: config.FlushClean}: 1 << 20,
	} {
		f, err := newFlush(timer.gpu, timer.module, c)
		if err != nil {
			t.Fatal(err)
		}
		if f.bytes != want || (f.kind == config.FlushDirty) != (c.Flush == config.FlushDirty) {
			t.Errorf("%+v: %d bytes, %s", c, f.bytes, f.kind)
		}
		if err := f.close(); err != nil {
			t.Error(err)
		}
	}
}

// TestEventFloor: what events take is measured, told and left in the samples.
func TestEventFloor(t *testing.T) {
	d, timer, alg := stub(t)
	d.Set("event_floor_ns", 1300)
	if err := timer.measureOverhead(); err != nil {
		t.Fatal(err)
	}
	s, err := timer.Cold(alg)
	median(t, s, err, 51.3e-6)
	if math.Abs(s.Floor-1.3e-6) > 1e-12 {
		t.Errorf("event floor of %v s", s.Floor)
	}
}
