package experiment

import (
	"context"
	"sync"

	"example.org/bench/framework"
	"example.org/bench/framework/bound"
	"example.org/bench/framework/record"
)

// Modelled explains a row of a run with other tunables, which it did not measure, in
// parallel by as many processes; done gets each by its index, in any order, one at a time.
func (s Subject) Modelled(ctx context.Context, run *record.Run, row *record.Row, tunables []framework.Values, workers int, done func(i int, w bound.Why)) error {
	var (
		next  = make(chan int)
		wait  sync.WaitGroup
		mutex sync.Mutex
		errs  []error
	)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	for range min(workers, len(tunables)) {
		wait.Go(func() {
			x := newExplainer(s, run)
			x.timed = true
			defer x.engine.Close()
			for i := range next {
				w, err := x.why(ctx, unmeasured(row, tunables[i]))
				mutex.Lock()
				if err == nil {
					done(i, w)
				} else {
					errs = append(errs, err)
					stop()
				}
				mutex.Unlock()
			}
		})
	}
	for i := range tunables {
		if ctx.Err() == nil {
			next <- i
		}
	}
	close(next)
	wait.Wait()
	if len(errs) > 0 {
		return errs[0] // the others are of the end that it made
	}
	return nil
}
