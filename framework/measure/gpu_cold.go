package measure

import (
	"errors"
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/stats"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
)

const (
	// systemCacheBytes is the size of the cache between a Jetson GPU's L2 and the DRAM: 4 MB on
	// Orin, the largest known.
	systemCacheBytes = 4 << 20
	// cleanTimes is how many times the cache's size is read by default, so that little of its
	// contents survives, whichever lines it replaces first.
	cleanTimes   = 4
	flushThreads = 256
)

// flush replaces the contents of the L2 cache.
type flush struct {
	gpu    gpu.Device
	kind   config.Flush
	buffer gpu.Pointer
	bytes  int64
	read   gpu.Kernel
}

// newFlush allocates the buffer and writes it, so that it has its own memory to be read.
func newFlush(gpu gpu.Device, m gpu.Module, c config.Measure) (*flush, error) {
	f := &flush{gpu: gpu, kind: config.FlushClean, bytes: c.FlushBytes}
	if c.Flush == config.FlushDirty {
		f.kind = config.FlushDirty
	}
	facts := gpu.Facts()
	if f.bytes == 0 {
		f.bytes = facts.CacheBytes()
		if facts.Integrated {
			f.bytes += systemCacheBytes
		}
		if f.kind == config.FlushClean {
			f.bytes *= cleanTimes
		}
		if facts.OpenCL != nil {
			f.bytes = min(f.bytes, facts.OpenCL.MostAlloc)
			if facts.CacheBytes() == 0 {
				f.bytes = 0
			}
		}
	}
	if f.bytes == 0 {
		f.kind = config.FlushNothing
		return f, nil
	}
	var err error
	if f.read, err = m.Kernel("read_lines"); err != nil {
		return nil, err
	}
	f.bytes = (f.bytes + 15) &^ 15
	if f.buffer, err = gpu.Alloc(f.bytes); err != nil {
		return nil, err
	}
	err = gpu.SetAsync(f.buffer, 0, f.bytes, 0)
	if err == nil {
		err = gpu.Synchronize(0)
	}
	if err != nil {
		return nil, errors.Join(err, f.close())
	}
	return f, nil
}

// enqueue queues a flush on s, on which only preparations of a run are queued. Lines that a kernel
// asked to keep, by a policy of its loads (createpolicy's evict_last in PTX), outlive a flush of
// many times the cache.
func (f *flush) enqueue(s gpu.Stream) error {
	if cuda, ok := f.gpu.(*driver.GPU); ok {
		if err := cuda.ResetPersistingCache(); err != nil {
			return err
		}
	}
	switch {
	case f.bytes == 0:
		return nil
	case f.kind == config.FlushDirty:
		return f.gpu.SetAsync(f.buffer, 0, f.bytes, s)
	}
	blocks := 8 * f.gpu.Facts().Multiprocessors
	return f.read.Launch(s, gpu.Launch{Grid: gpu.Dim3{X: blocks}, Block: gpu.Dim3{X: threadsOf(f.gpu)}}, f.buffer, uint64(f.bytes/16))
}

// threadsOf returns the threads of a block of what the timer runs.
func threadsOf(d gpu.Device) int {
	f := d.Facts()
	if f.OpenCL == nil {
		return flushThreads
	}
	return max(1, min(flushThreads, f.MaxThreadsBlock))
}

func (f *flush) close() error {
	if f == nil || f.buffer == 0 {
		return nil
	}
	buffer := f.buffer
	f.buffer = 0
	return f.gpu.Free(buffer)
}

// trialSeconds is how long a trial narrows the interval of a median that does not settle, since a
// search has better use for the time.
const trialSeconds = 0.03

// Cold times single runs with a flushed L2 cache. Each sample consists of the choice of inputs and
// the overwriting of the answer (Proof); Reset, if the version has one; the flush; then, queued
// while the stream is held back, a clock stamp, an event, Run, an event, a clock stamp.
//
// A proved version's runs are then compared with runs on inputs that no run had before.
//
// MinTime is wall time here, since most of a short run's sample is the flush.
func (t *GPUTimer) Cold(alg framework.GPUAlgorithm) (*Series, error) {
	s := alg.Stream()
	run := repetition(alg)
	if err := t.warmUp(s, run); err != nil {
		return nil, err
	}
	proof := t.proofs[alg]
	proof.begin()
	rule := NewRule(t.m)
	rule.CountWall()
	rule.Bar(t.Bar)
	if t.Trials {
		rule.Patience(trialSeconds)
	}
	c, err := t.single(rule, s, t.beforeCold(alg, proof), alg.Run, run, proof)
	if err != nil {
		return nil, err
	}
	series := c.end()
	series.Flush, series.Floor = t.flush.kind, t.Overhead
	if t.flush.bytes == 0 {
		t.note("nothing was flushed: the driver tells no size of a cache; measure.flush_bytes sets one")
	}
	if len(c.launches) > 0 {
		series.Launch = stats.Median(c.launches)
	}
	if proof == nil {
		return series, nil
	}
	return series, t.proveFresh(alg, proof, stats.Median(series.Samples), true)
}

// single times single runs of work, each behind before. again is what warms the device up.
func (t *GPUTimer) single(rule *Rule, s gpu.Stream, before, work, again func() error, proof *Proof) (*collector, error) {
	n := 1
	if t.opencl != nil {
		x, err := t.time(s, before, work)
		if err != nil {
			return nil, err
		}
		n = t.repeats(x.seconds)
		t.coarse(x.seconds, n)
	}
	for c := t.newCollector(rule, n); ; {
		x, err := t.times(n, s, before, work)
		if err != nil {
			return nil, err
		}
		stop, rest := c.add(x)
		if _, err := proof.ended(stop); err != nil {
			return nil, err
		}
		if rest {
			if err := t.warmUp(s, again); err != nil {
				return nil, err
			}
		}
		if stop {
			t.noteEarly(c)
			return c, nil
		}
	}
}

// Behind times single runs of work on s, each right behind before, which is not timed. Caches are as before left them.
func (t *GPUTimer) Behind(s gpu.Stream, before, work func() error) (*Series, error) {
	both := func() error {
		if err := before(); err != nil {
			return err
		}
		return work()
	}
	if err := t.warmUp(s, both); err != nil {
		return nil, err
	}
	rule := NewRule(t.m)
	rule.CountWall()
	c, err := t.single(rule, s, before, work, both, nil)
	if err != nil {
		return nil, err
	}
	series := c.end()
	series.Floor = t.Overhead
	return series, nil
}

// Flush queues on s a flush of the L2 cache, as Cold has it before each sample.
func (t *GPUTimer) Flush(s gpu.Stream) error { return t.flush.enqueue(s) }

// beforeCold puts either set of inputs in place, overwrites the answer, restores the inputs if the
// version changes them, and flushes the L2 cache.
func (t *GPUTimer) beforeCold(alg framework.GPUAlgorithm, proof *Proof) func() error {
	s := alg.Stream()
	r, resets := alg.(framework.Resetter)
	return func() error {
		if err := proof.ready(); err != nil {
			return err
		}
		if resets {
			if err := r.Reset(); err != nil {
				return fmt.Errorf("reset: %w", err)
			}
		}
		return t.flush.enqueue(s)
	}
}

func (t *GPUTimer) noteEarly(c *collector) {
	if c.latency {
		t.note("a run took over %v to queue: it fills the launch queue or waits for the device, so its samples may hold launch latency", openAfter)
	}
}
