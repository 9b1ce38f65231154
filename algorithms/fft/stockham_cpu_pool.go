package fft

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// pool is goroutines that wait between runs: a run makes none, and as long as
// runs follow each other closely it needs no wake-up by the operating system,
// which takes as long as a short run. The caller is worker 0.
type pool struct {
	workers int
	work    func(worker int)
	sleep   []sleeper // of workers 1 …
	ended   sync.WaitGroup
	closing bool

	next    atomic.Int64 // of the items shared out by each
	arrived atomic.Int64 // at the barrier
	phase   atomic.Int64 // barriers passed
	runs    atomic.Int64 // started
	busy    atomic.Int64 // workers in the run
}

// sleeper lets a worker wait without spinning.
type sleeper struct {
	asleep atomic.Bool
	wake   chan struct{}
}

// spins is how often a waiting worker looks before it gives its thread away:
// some tens of microseconds.
const spins = 1 << 16

func newPool(workers int, work func(worker int)) *pool {
	p := &pool{workers: workers, work: work, sleep: make([]sleeper, workers-1)}
	for i := range p.sleep {
		p.sleep[i].wake = make(chan struct{}, 1)
		p.ended.Go(func() {
			for run := int64(1); ; run++ {
				p.await(&p.sleep[i], run)
				if p.closing {
					return
				}
				p.work(i + 1)
				p.busy.Add(-1)
			}
		})
	}
	return p
}

// await returns when run number run has started.
func (p *pool) await(s *sleeper, run int64) {
	for {
		for range spins {
			if p.runs.Load() >= run {
				return
			}
		}
		s.asleep.Store(true)
		if p.runs.Load() >= run && s.asleep.CompareAndSwap(true, false) {
			return // started meanwhile, by a caller who did not see it asleep
		}
		<-s.wake // perhaps for the run before, which it found started by itself
	}
}

// start lets all workers but the caller begin a run.
func (p *pool) start() {
	p.runs.Add(1)
	for i := range p.sleep {
		if s := &p.sleep[i]; s.asleep.CompareAndSwap(true, false) {
			s.wake <- struct{}{}
		}
	}
}

// run calls work on every worker and waits for all.
func (p *pool) run() {
	p.next.Store(0)
	p.busy.Store(int64(len(p.sleep)))
	p.start()
	p.work(0)
	wait(func() bool { return p.busy.Load() == 0 })
}

// wait returns when done does.
func wait(done func() bool) {
	for i := 0; !done(); i++ {
		switch {
		case i > 2*spins:
			time.Sleep(20 * time.Microsecond) // more workers than free cores
		case i > spins:
			runtime.Gosched()
		}
	}
}

// each calls f for the items that this worker gets of 0 … n-1; all workers
// share them out.
func (p *pool) each(n int, f func(item int)) {
	for i := int(p.next.Add(1)) - 1; i < n; i = int(p.next.Add(1)) - 1 {
		f(i)
	}
}

// barrier holds every worker until all have come, and starts a new sharing
// out. What was written before it is seen after it.
func (p *pool) barrier() {
	phase := p.phase.Load()
	if p.arrived.Add(1) == int64(p.workers) {
		p.arrived.Store(0)
		p.next.Store(0)
		p.phase.Add(1)
		return
	}
	wait(func() bool { return p.phase.Load() != phase })
}

// close ends the goroutines and waits for them.
func (p *pool) close() {
	p.closing = true
	p.start()
	p.ended.Wait()
}
