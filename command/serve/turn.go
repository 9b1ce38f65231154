package serve

import (
	"context"
	"sync"
)

// queue has requests answered one at a time, in the order they came: what measures is to be
// alone.
type queue struct {
	mutex sync.Mutex
	last  <-chan struct{} // closed once nobody is before; nil at first
}

// turn is a request's place in a queue.
type turn struct {
	before <-chan struct{} // nil: nobody is
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

// waits is whether somebody is before.
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

// wait waits until nobody is before, or ctx ends.
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

// leave gives the place up, once: whoever is next waits for those before too.
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
