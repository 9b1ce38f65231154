package why

import (
	"context"
	"sync"

	"example.org/bench/framework"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/record"
)

// Modelled implements search.RunModel: it returns the model's times of a row of a run with other tunables,
// which the run did not measure.
func Modelled(ctx context.Context, s experiment.Subject, run *record.Run, row *record.Row, tunables []framework.Values, workers int, done func(i int, seconds float64, missing string)) error {
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
				w, err := x.of(ctx, unmeasured(row, tunables[i]))
				mutex.Lock()
				if err == nil {
					done(i, w.Model, w.Missing)
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
		return errs[0] // the others are of the end that this one caused
	}
	return nil
}
