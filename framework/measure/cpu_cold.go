package measure

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/machine"
	"example.org/bench/internal/linux"
)

const (
	// cacheTimes is how many times the last-level cache's size is read to flush it. mostFlushed is
	// the most bytes read, if a machine claims a larger cache.
	cacheTimes  = 2
	mostFlushed = 1 << 30
	// guessedFlush is how much is read if the kernel does not tell the cache's size.
	guessedFlush = 64 << 20
	cacheLine    = 64
)

// cpuFlush replaces the contents of the CPUs' caches: a thread on each CPU reads a buffer, which
// leaves clean lines. Lines written before are then in memory.
type cpuFlush struct {
	buffer []byte // outside the Go heap, whose limit it would fill
	start  []chan struct{}
	done   chan struct{}
}

// newCPUFlush returns a flush that reads so many bytes each time, or for 0 as many as the CPUs'
// last-level caches need. note says if their size is unknown.
func newCPUFlush(cpus machine.CPUs, bytes int64) (f *cpuFlush, note string, err error) {
	if bytes == 0 {
		if bytes = min(cacheTimes*machine.Live.LastLevelCache(cpus), mostFlushed); bytes == 0 {
			bytes = guessedFlush
			note = fmt.Sprintf("the kernel does not tell the size of the last-level cache: %d MiB are read to flush it", bytes>>20)
		}
	}
	f = &cpuFlush{done: make(chan struct{})}
	f.buffer, err = linux.Mmap(-1, 0, int(bytes), linux.PROT_READ|linux.PROT_WRITE, linux.MAP_PRIVATE|linux.MAP_ANON)
	if err != nil {
		return nil, "", fmt.Errorf("%d bytes that flush the caches: %w", bytes, err)
	}
	for i := range f.buffer { // unwritten pages would all be the same one
		f.buffer[i] = byte(i)
	}
	for _, cpu := range cpus {
		start := make(chan struct{})
		f.start = append(f.start, start)
		go f.reader(cpu, start)
	}
	return f, note, nil
}

// reader reads the buffer on a CPU each time it is told to. Its thread ends with it.
func (f *cpuFlush) reader(cpu int, start <-chan struct{}) {
	runtime.LockOSThread()
	linux.SchedSetaffinity(0, machine.CPUs{cpu}.Set()) //nolint:errcheck // refused: then wherever it runs
	sum := byte(0)
	for range start {
		for i := 0; i < len(f.buffer); i += cacheLine {
			sum += f.buffer[i]
		}
		runtime.KeepAlive(sum)
		f.done <- struct{}{}
	}
	f.done <- struct{}{}
}

// flush returns when all CPUs have read the buffer.
func (f *cpuFlush) flush() {
	for _, s := range f.start {
		s <- struct{}{}
	}
	for range f.start {
		<-f.done
	}
}

func (f *cpuFlush) close() error {
	for _, s := range f.start {
		close(s)
	}
	for range f.start {
		<-f.done
	}
	return linux.Munmap(f.buffer)
}

// Notes returns what to record with the results of the calls since the last Notes.
func (t *CPUTimer) Notes() []string {
	n := t.notes
	t.notes = nil
	return n
}

// flusher returns the flush of the caches of these CPUs.
func (t *CPUTimer) flusher(cpus machine.CPUs) (*cpuFlush, error) {
	f, note, err := newCPUFlush(cpus, t.m.FlushBytes)
	if note != "" {
		t.notes = append(t.notes, note)
	}
	return f, err
}

// Cold times single runs, each after a flush of the last-level cache and, if the version changes
// them, after the inputs were restored. The version's threads may sleep meanwhile, so that a run
// wakes them. MinTime is wall time here, since most of a sample is the flush.
func (t *CPUTimer) Cold(alg framework.CPUAlgorithm) (series *Series, err error) {
	cpus, restore := prepare(alg.Workers(), 0)
	defer restore()
	if _, err := t.warmUp(alg); err != nil {
		return nil, err
	}
	f, err := t.flusher(cpus)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	if err := t.pinWhereAsked(cpus, alg); err != nil {
		return nil, err
	}
	series = &Series{Batch: 1, Flush: config.FlushClean}
	rule := NewRule(t.m)
	rule.Clock(1, t.resolution)
	rule.CountWall()
	proof := t.proofs[alg]
	proof.begin()
	for {
		sample, err := timeCold(alg, f, proof)
		if err != nil {
			return nil, err
		}
		series.Samples = append(series.Samples, sample)
		rule.Add(sample)
		var stop bool
		stop, series.Converged, series.Stop = rule.Done()
		if _, err := proof.ended(stop); err != nil {
			return nil, err
		}
		if stop {
			series.Moved = rule.Moved()
			return series, nil
		}
	}
}

// timeCold returns the seconds of one run with flushed caches.
func timeCold(alg framework.CPUAlgorithm, f *cpuFlush, proof *Proof) (float64, error) {
	if err := proof.ready(); err != nil {
		return 0, err
	}
	if err := restore(alg); err != nil {
		return 0, err
	}
	f.flush()
	begin := time.Now()
	if err := alg.Run(); err != nil {
		return 0, fmt.Errorf("run: %w", err)
	}
	return time.Since(begin).Seconds(), nil
}

// alternateCold is Alternate with a flush before each run.
func (t *CPUTimer) alternateCold(a, b framework.CPUAlgorithm) (x *Alternation, err error) {
	cpus, restore := prepare(max(a.Workers(), b.Workers()), 0)
	defer restore()
	algs := [2]framework.CPUAlgorithm{a, b}
	for _, alg := range algs {
		if _, err := t.warmUp(alg); err != nil {
			return nil, err
		}
		t.Warm.ran(alg)
	}
	f, err := t.flusher(cpus)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	if err := t.pinWhereAsked(cpus, a, b); err != nil {
		return nil, err
	}
	x = &Alternation{BatchA: 1, BatchB: 1, Caches: config.Cold}
	for done, limit := 0, newTurns(t.m); limit.more(done); done++ {
		var quad [4]float64
		for i, which := range order {
			if quad[i], err = timeCold(algs[which], f, t.proofs[algs[which]]); err != nil {
				return nil, err
			}
			if _, err := t.proofs[algs[which]].ended(false); err != nil {
				return nil, &OneOf{which, err}
			}
		}
		x.add(quad)
	}
	t.Warm.ran(b)
	for i, alg := range algs {
		if err := rightClock(alg, 1); err != nil {
			return nil, &OneOf{i, err}
		}
	}
	x.Notes = t.Notes()
	return x, nil
}
