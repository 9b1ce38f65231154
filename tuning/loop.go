package tuning

import (
	"context"
	"fmt"
	"time"
)

// Loop is one search: it asks a strategy for points, has them evaluated one at
// a time, and tells the strategy what came of each. Searches on a device and on
// recorded spaces run it alike; they differ in Evaluate and Clock.
type Loop struct {
	Strategy Info
	Search   Search
	// Evaluate is the outcome of a point; its error ends the search. A point
	// that cannot run or gives a wrong answer is not an error but a Trial that is not OK.
	Evaluate func(ctx context.Context, task, point int) (Trial, error)
	// Compile, where not nil, is given points that will be evaluated next, up
	// to Batch of them, and returns when they are compiled. Nothing is measured
	// meanwhile.
	Compile func(ctx context.Context, points []Proposal)
	Batch   int
	// Done is told of every trial; nil where nobody wants to know.
	Done func(Progress)
	// Clock is what the strategy's own time is read from; nil: the wall clock.
	Clock func() time.Duration
}

// Progress is where a search stands after a trial.
type Progress struct {
	Trial       Trial
	Evaluations int
	// Improved is set where the trial is the best of its task so far.
	Improved bool
}

// Outcome is what a search found.
type Outcome struct {
	Trials []Trial // in the order evaluated
	// Best are the best trials by task; OK is false where a task has none.
	Best    []Trial
	Invalid int
	// Own is the strategy's own time, without evaluations.
	Own time.Duration
	// Stopped says why the search ended.
	Stopped string
}

// Run searches until the budget is spent, the strategy has nothing more to
// try, or ctx ends; the outcome holds what was done in any case. A proposal of a
// point that is not there, or was evaluated before, is an error.
func (l Loop) Run(ctx context.Context) (*Outcome, error) {
	o := &Outcome{Best: make([]Trial, len(l.Search.Tasks))}
	points := 0
	for i, t := range l.Search.Tasks {
		o.Best[i] = Trial{Task: i, Point: -1}
		points += t.Space.Len()
	}
	clock := l.Clock
	if clock == nil {
		began := time.Now()
		clock = func() time.Duration { return time.Since(began) }
	}
	own := func(strategy func()) {
		start := clock()
		strategy()
		o.Own += clock() - start
	}
	var strategy Strategy
	var err error
	own(func() { strategy, err = l.Strategy.New(l.Search) })
	if err != nil {
		return o, fmt.Errorf("strategy %s: %w", l.Strategy.Name, err)
	}
	seen := map[Proposal]bool{}
	compiled := map[Proposal]bool{}
	for {
		if err := ctx.Err(); err != nil {
			o.Stopped = "interrupted"
			return o, err
		}
		if len(o.Trials) >= l.Search.Budget {
			o.Stopped = "the budget is spent"
			return o, nil
		}
		var next Proposal
		var ok bool
		own(func() { next.Task, next.Point, ok = strategy.Next() })
		if !ok {
			o.Stopped = "the strategy has nothing more to try"
			if len(seen) == points {
				o.Stopped = "every point is evaluated"
			}
			return o, nil
		}
		if err := l.check(next, seen[next]); err != nil {
			return o, err
		}
		seen[next] = true
		if l.Compile != nil && !compiled[next] {
			batch := l.batch(next, strategy, l.Search.Budget-len(o.Trials))
			for _, p := range batch {
				compiled[p] = true
			}
			l.Compile(ctx, batch)
		}
		trial, err := l.Evaluate(ctx, next.Task, next.Point)
		if err != nil {
			o.Stopped = err.Error()
			return o, err
		}
		o.Trials = append(o.Trials, trial)
		improved := o.include(trial)
		if l.Done != nil {
			l.Done(Progress{trial, len(o.Trials), improved})
		}
		own(func() { strategy.Tell(trial) })
	}
}

// batch is the next proposal and those that are known to follow it.
func (l Loop) batch(next Proposal, strategy Strategy, left int) []Proposal {
	batch := []Proposal{next}
	if ahead, ok := strategy.(Lookahead); ok && l.Batch > 1 {
		batch = append(batch, ahead.Ahead(min(l.Batch, left)-1)...)
	}
	return batch
}

func (l Loop) check(p Proposal, again bool) error {
	switch {
	case p.Task < 0 || p.Task >= len(l.Search.Tasks) || p.Point < 0 || p.Point >= l.Search.Tasks[p.Task].Space.Len():
		return fmt.Errorf("strategy %s proposed point %d of task %d, which is not there", l.Strategy.Name, p.Point, p.Task)
	case again:
		return fmt.Errorf("strategy %s proposed point %d of task %d again", l.Strategy.Name, p.Point, p.Task)
	}
	return nil
}

// include takes a trial into account and reports whether it is the best of
// its task.
func (o *Outcome) include(t Trial) bool {
	if !t.OK {
		o.Invalid++
		return false
	}
	if b := o.Best[t.Task]; b.OK && b.Cost <= t.Cost {
		return false
	}
	o.Best[t.Task] = t
	return true
}
