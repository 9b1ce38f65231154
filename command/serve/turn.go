package serve

import (
	"context"
	"sync"
)

// queue makes requests be answered one at a time, in the order of their arrival, because a measurement
// must be alone.
type queue struct {
	mutex sync.Mutex
	last  <-chan struct{} // closed once nobody is ahead; nil at first
}

// turn is a request's place in a queue.
type turn struct {
	before <-chan struct{} // nil if nobody is ahead
	done   chan struct{}
}

// take takes the last place.
func (q *queue) take() *turn {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	t := &turn{before: q.last, done: make(chan struct{})}
	q.last = t.done
	return t
}

// waits reports whether somebody is ahead.
func (t *turn) waits() bool {
	if t.before == nil {
		return false
	}
	select {
	case <-t.before:
		return false
	default:
		return true
	}
}

// wait waits until nobody is ahead, or ctx ends.
func (t *turn) wait(ctx context.Context) error {
	if t.before == nil {
		return ctx.Err()
	}
	select {
	case <-t.before:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// leave gives up the place, once. The next in the queue then also waits for those ahead of it.
func (t *turn) leave() {
	if t.before == nil {
		close(t.done)
		return
	}
	go func() {
		<-t.before
		close(t.done)
	}()
}
