package measure

import (
	"fmt"

	"bench/framework"
)

// Cold times single runs with a flushed L2 cache. Per sample: Reset, if the
// version has one; a memset of FlushBytes; then, queued while the stream is
// held back, a clock stamp, an event, Run, an event, a clock stamp.
//
// MinTime counts as wall time here: most of a short run's sample is the flush.
func (t *GPUTimer) Cold(alg framework.GPUAlgorithm) (*Series, error) {
	s := alg.Stream()
	run := repetition(alg)
	if err := t.gpu.ResetPersistingCache(); err != nil {
		return nil, err
	}
	if err := t.warmUp(s, run); err != nil {
		return nil, err
	}
	before := func() error { return t.gpu.SetAsync(t.flush, 0, t.flushBytes, s) }
	if r, ok := alg.(framework.Resetter); ok {
		flush := before
		before = func() error {
			if err := r.Reset(); err != nil {
				return fmt.Errorf("reset: %w", err)
			}
			return flush()
		}
	}
	m := t.m
	m.MinTime = 0
	c := t.newCollector(NewRule(m), 1, t.m.MinTime)
	for {
		x, err := t.time(s, before, alg.Run)
		if err != nil {
			return nil, err
		}
		stop, rest := c.add(x)
		if rest {
			if err := t.warmUp(s, run); err != nil {
				return nil, err
			}
		}
		if stop {
			break
		}
	}
	t.noteEarly(c)
	return c.end(), nil
}

func (t *GPUTimer) noteEarly(c *collector) {
	if c.latency {
		t.note("a run took over %v to queue: it fills the launch queue or waits for the device, so its samples may hold launch latency", openAfter)
	}
}
