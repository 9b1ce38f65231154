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
	before := t.beforeCold(alg)
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

// beforeCold restores the inputs, where the version changes them, and flushes
// the L2 cache.
func (t *GPUTimer) beforeCold(alg framework.GPUAlgorithm) func() error {
	s := alg.Stream()
	flush := func() error { return t.gpu.SetAsync(t.flush, 0, t.flushBytes, s) }
	r, ok := alg.(framework.Resetter)
	if !ok {
		return flush
	}
	return func() error {
		if err := r.Reset(); err != nil {
			return fmt.Errorf("reset: %w", err)
		}
		return flush()
	}
}

func (t *GPUTimer) noteEarly(c *collector) {
	if c.latency {
		t.note("a run took over %v to queue: it fills the launch queue or waits for the device, so its samples may hold launch latency", openAfter)
	}
}
