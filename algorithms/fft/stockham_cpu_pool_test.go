package fft

import (
	"sync/atomic"
	"testing"
	"time"
)

// A worker that saw a run start by itself may be asleep for the next one when the
// caller comes to wake it: it does not work for that.
func TestPoolWakesLate(t *testing.T) {
	var worked atomic.Int64
	p := newPool(2, func(worker int) {
		if worker == 1 {
			worked.Add(1)
		}
	})
	defer p.close()
	asleep := func() {
		for !p.sleep[0].asleep.Load() {
			time.Sleep(time.Millisecond)
		}
	}
	p.run()
	asleep()
	p.sleep[0].asleep.Store(false)
	p.sleep[0].wake <- struct{}{}
	asleep()
	if n, busy := worked.Load(), p.busy.Load(); n != 1 || busy != 0 {
		t.Errorf("after one run the worker has worked %d times, and %d are busy", n, busy)
	}
}
