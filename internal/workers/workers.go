// Package workers provides threads that wait between runs, for CPU versions of algorithms.
package workers

import (
	"runtime"
	"sync/atomic"
)

// Pool is a set of goroutines that are started once, so that a run starts without making any. Worker 0 is
// the caller of Run. An idle worker looks for work for about 50 µs, as OpenMP's threads do, before it
// gives up its processor. Runs in quick succession therefore need no wake-up, which takes as long.
type Pool struct {
	work    func(worker int)
	sleep   []sleeper    // by worker
	runs    atomic.Int64 // begun; one more ends the workers
	closed  bool
	left    atomic.Int64 // workers except 0 that are still working
	next    atomic.Int64 // next item that Each hands out
	arrived atomic.Int64 // workers at the barrier
	passed  atomic.Int64 // barriers that were passed
}

// New makes a pool of that many workers, at least one, that call work.
func New(workers int, work func(worker int)) *Pool {
	p := &Pool{work: work, sleep: make([]sleeper, max(1, workers))}
	for i := range p.sleep {
		p.sleep[i].wake = make(chan struct{}, 1)
	}
	for worker := 1; worker < len(p.sleep); worker++ {
		go p.serve(worker)
	}
	return p
}

func (p *Pool) serve(worker int) {
	for run := int64(1); ; run++ {
		p.sleep[worker].until(func() bool { return p.runs.Load() >= run })
		if p.closed {
			return
		}
		p.work(worker)
		if p.left.Add(-1) == 0 {
			p.sleep[0].rouse()
		}
	}
}

// Workers returns the number of workers.
func (p *Pool) Workers() int { return len(p.sleep) }

// Run makes every worker do the work, and waits for all of them. It must not be called after Close.
func (p *Pool) Run() {
	p.next.Store(0)
	p.left.Store(int64(len(p.sleep) - 1))
	p.begin()
	p.work(0)
	p.sleep[0].until(func() bool { return p.left.Load() == 0 })
}

func (p *Pool) begin() {
	p.runs.Add(1)
	p.rouse()
}

func (p *Pool) rouse() {
	for i := range p.sleep {
		p.sleep[i].rouse()
	}
}

// Each is called within the work. It calls f for this worker's share of the items 0 … n-1. The workers
// take items in ascending order, once a Run and once after each Barrier, so an item may wait for lower
// ones.
func (p *Pool) Each(n int, f func(item int)) {
	for i := int(p.next.Add(1)) - 1; i < n; i = int(p.next.Add(1)) - 1 {
		f(i)
	}
}

// EachAhead is Each that also tells f the item that this worker gets next, which is n or more where there
// is none. All workers must call it, because each begins with the item of its own number.
func (p *Pool) EachAhead(worker, n int, f func(item, next int)) {
	for i := worker; i < n; {
		next := int(p.next.Add(1)) - 1 + len(p.sleep)
		f(i, next)
		i = next
	}
}

// Barrier is called within the work. It blocks each worker until all have called it. Writes before it are
// visible after it.
func (p *Pool) Barrier(worker int) {
	passed := p.passed.Load()
	if p.arrived.Add(1) < int64(len(p.sleep)) {
		p.sleep[worker].until(func() bool { return p.passed.Load() > passed })
		return
	}
	p.arrived.Store(0)
	p.next.Store(0)
	p.passed.Add(1)
	p.rouse()
}

// Close ends the workers.
func (p *Pool) Close() {
	if !p.closed {
		p.closed = true
		p.begin()
	}
}

// sleeper is a waiting worker, which first spins and then sleeps.
type sleeper struct {
	asleep atomic.Bool
	wake   chan struct{}
	_      [48]byte // puts the next one in another cache line
}

// looks is the number of times that a sleeper looks before it sleeps: about 50 µs.
const looks = 1 << 15

// until returns once condition holds. Whoever makes it hold calls rouse afterwards.
func (s *sleeper) until(condition func() bool) {
	for {
		for range looks {
			if condition() {
				return
			}
		}
		s.asleep.Store(true)
		if condition() && s.asleep.CompareAndSwap(true, false) {
			return
		}
		<-s.wake // perhaps for what held before
	}
}

func (s *sleeper) rouse() {
	if s.asleep.CompareAndSwap(true, false) {
		s.wake <- struct{}{}
	}
}

// spins is the number of times that Wait looks before it yields its thread: some microseconds.
const spins = 1 << 12

// Wait returns once turn is at least n.
func Wait(turn *atomic.Int64, n int64) {
	for range spins {
		if turn.Load() >= n {
			return
		}
	}
	for turn.Load() < n {
		runtime.Gosched()
	}
}
