package tuning

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"example.org/bench/framework/pareto"
)

// Loop is one search: it asks a strategy for points, has them compiled and evaluated, and tells the strategy
// the result of each. Searches on devices and on recorded spaces run it alike; they differ in Evaluate,
// Compile and Clock.
//
// The loop asks the strategy for proposals at the start and each time that it tells a trial, for as many as
// depth allows. The proposals thus follow from the trials and the order in which these ended.
type Loop struct {
	Strategy Info
	Search   Search
	// Evaluate has the worker of that number evaluate the proposal of that number. An error ends the search.
	// A point that cannot run or gives a wrong answer is not an error but a Trial that is not OK. order
	// numbers all evaluations as they ended: the strategy is told in that order.
	Evaluate func(ctx context.Context, worker, number int, p Proposal) (t Trial, order int, err error)
	// Workers is how many evaluate at a time; 0: one.
	Workers int
	// Pending is how many more evaluations are open than there are workers, to show how a search would go
	// with more workers.
	Pending int
	// Compile, if not nil, compiles a proposal before a worker gets it. Up to Compilers proposals are
	// compiled at a time. A proposal that needs no worker, because compiling shows that it cannot run or what
	// it costs, is evaluated with the worker NoWorker. If the strategy doubts a proposal (Doubter), ctx ends.
	// If the proposal is not compiled by then, Evaluate says that it was Cut.
	Compile   func(ctx context.Context, number int, p Proposal) (needsWorker bool)
	Compilers int
	// Barred, if not nil, says which proposals are not evaluated because they are known not to run. The
	// strategy is told so, and they are no trials.
	Barred func(Proposal) bool
	// Prior, if not nil, guides a strategy that is Guided.
	Prior Prior
	// Recorded is set if evaluations take no time but the seconds that their trials have. These seconds then
	// make the search's time, as if Compilers and Workers worked at the same time. Compile is not called.
	Recorded bool
	// Limit ends the search when it has taken so long: evaluations in progress end, and others are not begun.
	// 0: no limit.
	Limit time.Duration
	// Patience ends the search when improvement is unlikely; nil: it does not.
	Patience *Patience
	// Done is told of every trial; it may be nil.
	Done func(Progress)
	// Clock gives the time by which the strategy's own time is measured; nil: the wall clock.
	Clock func() time.Duration
}

// NoWorker is the number of the worker that evaluates proposals that need none.
const NoWorker = -1

// Progress is the state of a search after a trial.
type Progress struct {
	Trial       Trial
	Evaluations int
	// Improved is set if the trial is the best of its task so far, or on the front.
	Improved bool
	// At is when the trial ended, since the search began.
	At time.Duration
	// Own is the strategy's own time so far.
	Own time.Duration
}

// Outcome is what a search found.
type Outcome struct {
	Trials []Trial // in the order evaluated
	// Best are the trials of least Cost, by task; OK is false for a task without a valid trial.
	Best []Trial
	// Fronts are the tasks' fronts in a search for fronts.
	Fronts  []pareto.Set
	Invalid int
	// Cut is how many proposals were taken back because compiling them was cut short.
	Cut int
	// Own is the strategy's own time, without evaluations.
	Own time.Duration
	// Stopped says why the search ended.
	Stopped string
	// Trust is how far the search trusted its prior at the end; nil: it had none.
	Trust *Trust
}

// Run searches until the budget is spent, the strategy has nothing more to try, or ctx ends. The outcome has
// the trials made, also beside an error. A proposal of a point that the space does not have, or that was
// proposed before, is an error.
func (l Loop) Run(ctx context.Context) (*Outcome, error) {
	s := &looping{Loop: l, outcome: &Outcome{Best: make([]Trial, len(l.Search.Tasks))}, seen: map[Proposal]bool{}}
	if l.Search.Front {
		if !l.Strategy.Fronts {
			return s.outcome, fmt.Errorf("strategy %s looks for the least cost, not for a front", l.Strategy.Name)
		}
		s.outcome.Fronts = make([]pareto.Set, len(l.Search.Tasks))
	}
	for i := range l.Search.Tasks {
		s.outcome.Best[i] = Trial{Task: i, Point: -1}
	}
	if s.Clock == nil {
		began := time.Now()
		s.Clock = func() time.Duration { return time.Since(began) }
	}
	var err error
	if s.compiles() {
		s.Search.Compilers = s.Compilers
	}
	s.Search.Prior = l.Prior != nil
	s.own(func() { s.strategy, err = l.Strategy.New(s.Search) })
	if err != nil {
		return s.outcome, fmt.Errorf("strategy %s: %w", l.Strategy.Name, err)
	}
	s.guided, _ = s.strategy.(Guided)
	err = s.run(ctx)
	if s.guided != nil && l.Prior != nil {
		t := s.guided.Trusts()
		s.outcome.Trust = &t
	}
	if err != nil {
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
	guided   Guided // nil: it takes no prior
	seen     map[Proposal]bool
	proposed int  // and not given up
	numbered int  // jobs
	over     bool // nothing more is proposed
	late     bool // nothing more is begun

	jobs  jobs
	ready []job // may be evaluated
	idle  []int // workers
	taken takes
	on    float64 // value of Search.Switching's parameter at the evaluation begun last
}

// job is a proposal with its number.
type job struct {
	number int
	Proposal
}

// own counts the strategy's time.
func (s *looping) own(strategy func()) {
	start := s.Clock()
	strategy()
	s.outcome.Own += s.Clock() - start
}

// run has proposals compiled and evaluated until there are none left or something fails.
func (s *looping) run(ctx context.Context) error {
	for w := range max(1, s.Workers) {
		s.idle = append(s.idle, w)
	}
	work, stop := context.WithCancel(ctx)
	if w := s.Search.Switching; w != nil && !s.Strategy.Weighs {
		s.Pending += w.waiting(s.Search.Tasks)
	}
	s.jobs = s.begin(work)
	if w := s.Search.Switching; w != nil {
		s.on = w.On
	}
	defer func() { stop(); s.jobs.close() }()
	ended := map[int]event{} // trials by their order, not told yet
	received, expected := 0, 0
	s.guide()
	if err := s.propose(ctx); err != nil {
		return err
	}
	for len(s.outcome.Trials) < s.proposed {
		for len(s.ready) > 0 && len(s.idle) > 0 {
			w := s.idle[0]
			s.idle = s.idle[1:]
			s.jobs.evaluate(w, s.worthMost())
		}
		e := s.jobs.next()
		switch {
		case e.err != nil:
			return e.err
		case e.late:
			s.end("the time is up")
			s.proposed -= s.jobs.drop() + len(s.ready)
			s.ready, s.late = nil, true
		case e.compiled && s.late:
			s.proposed--
		case e.compiled:
			s.ready = append(s.ready, e.job)
		default:
			if e.worker != NoWorker {
				s.idle = append(s.idle, e.worker)
			}
			received++
			ended[e.order] = e
		}
		for len(ended) > 0 {
			if _, ok := ended[expected]; !ok && received == s.proposed+s.outcome.Cut { // it was lost
				expected = slices.Min(slices.Collect(maps.Keys(ended)))
			}
			e, ok := ended[expected]
			if !ok {
				break
			}
			delete(ended, expected)
			expected++
			if e.trial.Cut {
				s.takeBack(e.Proposal)
			} else {
				s.tell(e.trial, e.at)
			}
			if d, ok := s.strategy.(Doubter); ok && s.compiles() {
				s.own(func() { s.jobs.cut(d.Doubts) })
			}
			s.guide()
			if err := s.propose(ctx); err != nil {
				return err
			}
		}
		if s.giveUpBarred() {
			if err := s.propose(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// propose begins proposals of the strategy until as many are open as depth allows.
func (s *looping) propose(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for !s.over && s.proposed-len(s.outcome.Trials) < s.depth() {
		p, err := s.next()
		if err != nil || s.over {
			return err
		}
		j := job{s.numbered, p}
		s.numbered++
		s.proposed++
		if s.compiles() {
			s.jobs.compile(j)
		} else {
			s.ready = append(s.ready, j)
		}
	}
	return nil
}

// compiles reports whether proposals are compiled before workers get them.
func (s *looping) compiles() bool { return s.Compilers > 0 && (s.Compile != nil || s.Recorded) }

// next returns the strategy's next proposal, or the error that ends the proposals.
func (s *looping) next() (next Proposal, err error) {
	if s.proposed >= s.Search.Budget {
		s.end("the budget is spent")
		return next, nil
	}
	if why := s.Patience.spent(s.outcome.Trials, s.Search); why != "" {
		s.end(why)
		return next, nil
	}
	var ok bool
	for {
		s.own(func() { next.Task, next.Point, ok = s.strategy.Next() })
		if !ok {
			break
		}
		if err := s.check(next, s.seen[next]); err != nil {
			return next, err
		}
		s.seen[next] = true
		if s.Barred == nil || !s.Barred(next) {
			break
		}
		s.refuse(next)
	}
	if !ok {
		points := 0
		for _, t := range s.Search.Tasks {
			points += t.Space.Len()
		}
		if len(s.seen) == points && s.outcome.Cut == 0 {
			s.end("every point is evaluated")
		} else {
			s.end("the strategy has nothing more to try")
		}
		return next, nil
	}
	s.Search.Switching.proposed(s.Search.Tasks[next.Task], next.Point)
	return next, nil
}

// refuse tells the strategy that a proposal cannot run.
func (s *looping) refuse(p Proposal) {
	s.own(func() { s.strategy.Tell(Trial{Task: p.Task, Point: p.Point}) })
}

// giveUpBarred takes back the ready proposals that were barred after they were proposed.
func (s *looping) giveUpBarred() (any bool) {
	if s.Barred == nil {
		return false
	}
	s.ready = slices.DeleteFunc(s.ready, func(j job) bool {
		barred := s.Barred(j.Proposal)
		if barred {
			any = true
			s.proposed--
			s.refuse(j.Proposal)
		}
		return barred
	})
	if any && !s.late { // others may take its place
		s.over = false
	}
	return any
}

// takeBack takes back a proposal that gets no trial; another may take its place.
func (s *looping) takeBack(p Proposal) {
	s.proposed--
	s.outcome.Cut++
	s.over = s.late
	s.own(func() { s.strategy.(Doubter).Forget(p) })
}

func (s *looping) end(why string) { s.over, s.outcome.Stopped = true, why }

// tell takes in a trial that ended at a time.
func (s *looping) tell(trial Trial, at time.Duration) {
	o := s.outcome
	o.Trials = append(o.Trials, trial)
	s.taken.add(trial)
	s.Search.Switching.learn(trial)
	improved := o.include(trial)
	if s.Done != nil {
		s.Done(Progress{trial, len(o.Trials), improved, at, o.Own})
	}
	s.own(func() { s.strategy.Tell(trial) })
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
// its task, or on its front.
func (o *Outcome) include(t Trial) bool {
	if !t.OK {
		o.Invalid++
		return false
	}
	improved := true
	if b := o.Best[t.Task]; b.OK && b.Cost <= t.Cost {
		improved = false
	} else {
		o.Best[t.Task] = t
	}
	if o.Fronts != nil {
		improved = o.Fronts[t.Task].Add(pareto.Point{X: t.Cost, Y: t.Second})
	}
	return improved
}
