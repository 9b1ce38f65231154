// Package workers has threads that wait between runs, for CPU versions of
// algorithms.
package workers

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Pool is goroutines that are started once, so that a run starts without
// making any. The caller of Run is worker 0.
type Pool struct {
	workers int
	work    func(worker int)
	start   []chan struct{} // of workers 1 …
	done    sync.WaitGroup
	next    atomic.Int64 // item that Each hands out
}

// New makes a pool of that many workers, at least one, that do work.
func New(workers int, work func(worker int)) *Pool {
	p := &Pool{workers: max(1, workers), work: work}
	for w := 1; w < p.workers; w++ {
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

// Workers is how many there are.
func (p *Pool) Workers() int { return p.workers }

// Run has every worker do the work, and waits for all.
func (p *Pool) Run() {
	p.next.Store(0)
	p.done.Add(len(p.start))
	for _, c := range p.start {
		c <- struct{}{}
	}
	p.work(0)
	p.done.Wait()
}

// Each calls f, within the work, for the items that this worker gets of
// 0 … n-1. All workers share them out in ascending order, once a Run: an item
// may wait for those below it.
func (p *Pool) Each(n int, f func(item int)) {
	for i := int(p.next.Add(1)) - 1; i < n; i = int(p.next.Add(1)) - 1 {
		f(i)
	}
}

// Close ends the workers.
func (p *Pool) Close() {
	for _, c := range p.start {
		close(c)
	}
	p.start = nil
}

// spins is how often Wait looks before it gives its thread away: some
// microseconds.
const spins = 1 << 12

// Wait returns once turn is at least n.
func Wait(turn *atomic.Int64, n int64) {
	for i := 0; turn.Load() < n; i++ {
		if i >= spins {
			runtime.Gosched()
		}
	}
}
