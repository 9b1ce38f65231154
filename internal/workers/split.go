package workers

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Split calls f(0) … f(n-1) from up to workers goroutines that it starts. It is for work that is not
// timed, or that takes long compared with starting goroutines.
func Split(workers, n int, f func(item int)) {
	workers = min(workers, n)
	if workers < 2 {
		for i := range n {
			f(i)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	wg.Wait()
}

// Together calls f(0) … f(n-1) concurrently; a single call runs on the calling goroutine. The first error
// ends the context of all calls and is returned.
func Together(ctx context.Context, n int, f func(ctx context.Context, worker int) error) error {
	if n == 1 {
		return f(ctx, 0)
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	var first error
	var once sync.Once
	Split(n, n, func(i int) {
		if err := f(ctx, i); err != nil {
			once.Do(func() { first = err })
			end()
		}
	})
	return first
}

// All returns the number of goroutines that preparation and checking use.
func All() int { return runtime.GOMAXPROCS(0) }
