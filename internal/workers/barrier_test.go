package workers

import (
	"sync/atomic"
	"testing"
	"time"
)

// Nobody passes a barrier before all have come, each sharing out after one is
// whole, and what was written before it is seen, also by workers who went to sleep
// there.
func TestBarrier(t *testing.T) {
	const n, items, rounds = 5, 64, 50
	var written [rounds][items]int // no atomics: the barrier orders them
	var wrong atomic.Int64
	var pool *Pool
	pool = New(n, func(worker int) {
		for r := range rounds {
			if r%10 == worker {
				time.Sleep(time.Millisecond) // the others go to sleep
			}
			pool.Each(items, func(i int) { written[r][i]++ })
			pool.Barrier(worker)
			for _, times := range written[r] {
				if times != 1 {
					wrong.Add(1)
				}
			}
			pool.Barrier(worker)
		}
	})
	defer pool.Close()
	for range 3 {
		pool.Run()
		clear(written[:])
	}
	if wrong.Load() != 0 {
		t.Errorf("%d items were not done once when a barrier was passed", wrong.Load())
	}
}

// A worker that saw a run begin by itself may be asleep for the next one when the
// caller comes to rouse it: it does not work for that.
func TestRousedLate(t *testing.T) {
	var worked atomic.Int64
	p := New(2, func(worker int) {
		if worker == 1 {
			worked.Add(1)
		}
	})
	defer p.Close()
	asleep := func() {
		for !p.sleep[1].asleep.Load() {
			time.Sleep(time.Millisecond)
		}
	}
	p.Run()
	asleep()
	p.sleep[1].rouse()
	asleep()
	if n, left := worked.Load(), p.left.Load(); n != 1 || left != 0 {
		t.Errorf("after one run the worker has worked %d times, and %d are at work", n, left)
	}
}
