// Package session runs one live search: it asks a strategy for points, has
// them compiled ahead and measured alone, and keeps what came of them.
package session

import (
	"context"
	"fmt"
	"time"

	"bench/tuning"
)

// Session is one search over the tasks of a version.
type Session struct {
	Strategy tuning.Info
	Search   tuning.Search
	// Evaluate measures a point; its error ends the session. A point that
	// cannot run or gives a wrong answer is no error but a Trial that is not OK.
	Evaluate func(ctx context.Context, task, point int) (tuning.Trial, error)
	// Compile, where not nil, is given points that will be evaluated next, up
	// to Batch of them, and returns when they are compiled. Nothing is measured
	// meanwhile.
	Compile func(ctx context.Context, points []tuning.Trial)
	Batch   int
	// Done is told of every trial; nil where nobody wants to know.
	Done func(Progress)
}

// Progress is where a session stands after a trial.
type Progress struct {
	Trial       tuning.Trial
	Evaluations int
	// Improved is set where the trial is the best of its task so far.
	Improved bool
	// Own is the strategy's own time so far, without evaluations.
	Own time.Duration
}

// Report is what a session found.
type Report struct {
	Trials []tuning.Trial // in the order evaluated
	// Best are the best trials by task; OK is false where a task has none.
	Best []tuning.Trial
	// Reached are, by task, how many evaluations over all tasks there had been
	// when the best was found.
	Reached []int
	Invalid int
	Own     time.Duration // the strategy's
	// Stopped says why the search ended.
	Stopped string
}

// Run searches until the budget is spent, the strategy has nothing more to
// try, or ctx ends; the report holds what was done in any case.
func (s Session) Run(ctx context.Context) (*Report, error) {
	r := &Report{Best: make([]tuning.Trial, len(s.Search.Tasks)), Reached: make([]int, len(s.Search.Tasks))}
	for i := range r.Best {
		r.Best[i] = tuning.Trial{Task: i, Point: -1}
	}
	seen := map[[2]int]bool{}
	for _, t := range s.Search.Known {
		seen[[2]int{t.Task, t.Point}] = true
		r.include(t, 0)
	}
	start := time.Now()
	strategy, err := s.Strategy.New(s.Search)
	if err != nil {
		return r, fmt.Errorf("strategy %s: %w", s.Strategy.Name, err)
	}
	r.Own += time.Since(start)
	ahead, _ := strategy.(tuning.Lookahead)
	compiled := map[[2]int]bool{}
	for {
		if err := ctx.Err(); err != nil {
			r.Stopped = "interrupted"
			return r, err
		}
		if len(r.Trials) >= s.Search.Budget {
			r.Stopped = "the budget is spent"
			return r, nil
		}
		start := time.Now()
		task, point, ok := strategy.Next()
		r.Own += time.Since(start)
		if !ok {
			r.Stopped = "the strategy has nothing more to try"
			if s.exhausted(seen) {
				r.Stopped = "every point is evaluated"
			}
			return r, nil
		}
		key := [2]int{task, point}
		if err := s.check(task, point, seen[key]); err != nil {
			return r, err
		}
		seen[key] = true
		if s.Compile != nil && !compiled[key] {
			next := []tuning.Trial{{Task: task, Point: point}}
			if ahead != nil && s.Batch > 1 {
				next = append(next, ahead.Ahead(min(s.Batch, s.Search.Budget-len(r.Trials))-1)...)
			}
			for _, t := range next {
				compiled[[2]int{t.Task, t.Point}] = true
			}
			s.Compile(ctx, next)
		}
		trial, err := s.Evaluate(ctx, task, point)
		if err != nil {
			r.Stopped = err.Error()
			return r, err
		}
		r.Trials = append(r.Trials, trial)
		improved := r.include(trial, len(r.Trials))
		if s.Done != nil {
			s.Done(Progress{trial, len(r.Trials), improved, r.Own})
		}
		start = time.Now()
		strategy.Tell(trial)
		r.Own += time.Since(start)
	}
}

func (s Session) check(task, point int, again bool) error {
	switch {
	case task < 0 || task >= len(s.Search.Tasks) || point < 0 || point >= s.Search.Tasks[task].Space.Len():
		return fmt.Errorf("strategy %s proposed point %d of task %d, which is not there", s.Strategy.Name, point, task)
	case again:
		return fmt.Errorf("strategy %s proposed point %d of task %d again", s.Strategy.Name, point, task)
	}
	return nil
}

func (s Session) exhausted(seen map[[2]int]bool) bool {
	all := 0
	for _, t := range s.Search.Tasks {
		all += t.Space.Len()
	}
	return len(seen) == all
}

// include takes a trial into account and reports whether it is the best of
// its task.
func (r *Report) include(t tuning.Trial, evaluations int) bool {
	if !t.OK {
		r.Invalid++
		return false
	}
	if b := r.Best[t.Task]; b.OK && b.Cost <= t.Cost {
		return false
	}
	r.Best[t.Task], r.Reached[t.Task] = t, evaluations
	return true
}
