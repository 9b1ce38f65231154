package fft

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// pool is goroutines that wait between runs, so that a run starts without
// making any. The caller is worker 0.
type pool struct {
	workers int
	work    func(worker int)
	start   []chan struct{} // of workers 1 …
	done    sync.WaitGroup

	next    atomic.Int64 // of the items shared out by each
	arrived atomic.Int64
	phase   atomic.Int64
}

func newPool(workers int, work func(worker int)) *pool {
	p := &pool{workers: workers, work: work}
	for w := 1; w < workers; w++ {
		start := make(chan struct{})
		p.start = append(p.start, start)
		go func() {
			for range start {
				p.work(w)
				p.done.Done()
			}
		}()
	}
	return p
}

// run calls work on every worker and waits for all.
func (p *pool) run() {
	p.next.Store(0)
	p.done.Add(len(p.start))
	for _, c := range p.start {
		c <- struct{}{}
	}
	p.work(0)
	p.done.Wait()
}

// each calls f for the items that this worker gets of 0 … n-1; all workers
// share them out.
func (p *pool) each(n int, f func(item int)) {
	for i := int(p.next.Add(1)) - 1; i < n; i = int(p.next.Add(1)) - 1 {
		f(i)
	}
}

// spins is how often a worker looks before it gives its thread away: some
// microseconds.
const spins = 1 << 12

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
	for i := 0; p.phase.Load() == phase; i++ {
		if i >= spins {
			runtime.Gosched()
		}
	}
}

// close ends the goroutines.
func (p *pool) close() {
	for _, c := range p.start {
		close(c)
	}
	p.start = nil
}
