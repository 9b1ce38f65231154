package tuning

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// Loop is one search: it asks a strategy for points, has workers evaluate them, and
// tells the strategy what came of each. Searches on devices and on recorded spaces run
// it alike; they differ in Evaluate and Clock.
//
// The strategy is asked for one proposal each time that it is told of a trial. So what it
// proposes follows from the trials and the order in which they ended.
type Loop struct {
	Strategy Info
	Search   Search
	// Evaluate is the outcome of the proposal of that number, found by the worker of that
	// number; its error ends the search. A point that cannot run or gives a wrong answer
	// is not an error but a Trial that is not OK. The order numbers all evaluations as they
	// ended: the strategy is told in that order.
	Evaluate func(ctx context.Context, worker, number int, p Proposal) (t Trial, order int, err error)
	// Workers is how many evaluate at a time; 0: one.
	Workers int
	// Pending is how many more evaluations are open than there are workers: how a
	// search would go with more of them.
	Pending int
	// Compile, where not nil, is given points that will be evaluated next, up
	// to Batch of them, and returns when they are compiled. Nothing is proposed
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
// point that is not there, or was proposed before, is an error.
func (l Loop) Run(ctx context.Context) (*Outcome, error) {
	s := &looping{Loop: l, outcome: &Outcome{Best: make([]Trial, len(l.Search.Tasks))}, seen: map[Proposal]bool{}, compiled: map[Proposal]bool{}}
	for i := range l.Search.Tasks {
		s.outcome.Best[i] = Trial{Task: i, Point: -1}
	}
	if s.Clock == nil {
		began := time.Now()
		s.Clock = func() time.Duration { return time.Since(began) }
	}
	var err error
	s.own(func() { s.strategy, err = l.Strategy.New(l.Search) })
	if err != nil {
		return s.outcome, fmt.Errorf("strategy %s: %w", l.Strategy.Name, err)
	}
	if err = s.run(ctx); err != nil {
		s.outcome.Stopped = err.Error()
		if ctx.Err() != nil {
			s.outcome.Stopped = "interrupted"
		}
	}
	return s.outcome, err
}

// looping is a Loop under way.
type looping struct {
	Loop
	outcome  *Outcome
	strategy Strategy
	seen     map[Proposal]bool
	compiled map[Proposal]bool
	proposed int
	over     bool // nothing more is proposed
}

// own counts the strategy's time.
func (s *looping) own(strategy func()) {
	start := s.Clock()
	strategy()
	s.outcome.Own += s.Clock() - start
}

// run has the workers evaluate what is proposed, until nothing is or something fails.
func (s *looping) run(ctx context.Context) error {
	type job struct {
		number int
		Proposal
	}
	type evaluated struct {
		trial Trial
		order int
		err   error
	}
	open := max(1, s.Workers) + s.Pending
	todo, done := make(chan job, open), make(chan evaluated, open)
	work, stop := context.WithCancel(ctx)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer close(todo)
	defer stop()
	for w := range max(1, s.Workers) {
		workers.Go(func() {
			for j := range todo {
				if work.Err() != nil {
					continue
				}
				trial, order, err := s.Evaluate(work, w, j.number, j.Proposal)
				done <- evaluated{trial, order, err}
			}
		})
	}
	ended := map[int]Trial{} // by their order, not told yet
	received, expected := 0, 0
	for {
		for !s.over && s.proposed-len(s.outcome.Trials) < open {
			p, err := s.next(ctx)
			if err != nil {
				return err
			}
			if !s.over {
				todo <- job{s.proposed, p}
				s.proposed++
			}
		}
		if len(s.outcome.Trials) == s.proposed {
			return nil
		}
		for {
			if _, ok := ended[expected]; !ok && received == s.proposed { // it was lost
				expected = slices.Min(slices.Collect(maps.Keys(ended)))
			}
			if trial, ok := ended[expected]; ok {
				delete(ended, expected)
				expected++
				s.tell(trial)
				break
			}
			e := <-done
			if e.err != nil {
				return e.err
			}
			received++
			ended[e.order] = e.trial
		}
	}
}

// next is the strategy's next proposal, compiled; or the end, and why.
func (s *looping) next(ctx context.Context) (next Proposal, err error) {
	if err := ctx.Err(); err != nil {
		return next, err
	}
	if s.proposed >= s.Search.Budget {
		s.end("the budget is spent")
		return next, nil
	}
	var ok bool
	s.own(func() { next.Task, next.Point, ok = s.strategy.Next() })
	if !ok {
		points := 0
		for _, t := range s.Search.Tasks {
			points += t.Space.Len()
		}
		if len(s.seen) == points {
			s.end("every point is evaluated")
		} else {
			s.end("the strategy has nothing more to try")
		}
		return next, nil
	}
	if err := s.check(next, s.seen[next]); err != nil {
		return next, err
	}
	s.seen[next] = true
	if s.Compile != nil && !s.compiled[next] {
		batch := s.batch(next, s.strategy, s.Search.Budget-s.proposed)
		for _, p := range batch {
			s.compiled[p] = true
		}
		s.Compile(ctx, batch)
	}
	return next, nil
}

func (s *looping) end(why string) { s.over, s.outcome.Stopped = true, why }

// tell takes in a trial.
func (s *looping) tell(trial Trial) {
	o := s.outcome
	o.Trials = append(o.Trials, trial)
	improved := o.include(trial)
	if s.Done != nil {
		s.Done(Progress{trial, len(o.Trials), improved})
	}
	s.own(func() { s.strategy.Tell(trial) })
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
