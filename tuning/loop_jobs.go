package tuning

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"
)

// jobs carries out what a loop begins. One goroutine uses it.
type jobs interface {
	compile(job)
	evaluate(worker int, j job)
	// cut ends the compiling of proposals that are doubted.
	cut(doubts func(Proposal) bool)
	// next waits for the next event.
	next() event
	// drop gives up the jobs that are not compiled yet, and returns how many.
	drop() int
	// time returns the time since the search began.
	time() time.Duration
	close()
}

// event is the end of a step of a job.
type event struct {
	job
	compiled bool // and may be evaluated; else it is a trial
	late     bool // no job, but Limit is over
	worker   int
	trial    Trial
	order    int
	at       time.Duration
	err      error
}

// takes are the seconds that recent trials took.
type takes struct{ compile, run []float64 }

// lately is how many trials count as recent.
const lately = 20

func (t *takes) add(trial Trial) {
	for _, x := range []struct {
		list *[]float64
		s    float64
	}{{&t.compile, trial.CompileSeconds}, {&t.run, trial.RunSeconds}} {
		if x.s > 0 {
			*x.list = append(*x.list, x.s)
			*x.list = (*x.list)[max(0, len(*x.list)-lately):]
		}
	}
}

func mean(list []float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	return sum / float64(len(list))
}

// depth returns how many proposals may be open. Without compiling, that is as many as can be evaluated. If
// compiling takes most of the time, it is as many as are compiled at a time, and two for each worker: one
// that it evaluates and one that it takes next. Otherwise it is as many as are compiled while one is
// evaluated: a later proposal rests on more trials.
func (s *looping) depth() int {
	workers := max(1, s.Workers)
	if !s.compiles() {
		return workers + s.Pending
	}
	compiling := s.Compilers
	switch {
	case len(s.taken.run) == 0:
	case len(s.taken.compile) == 0:
		compiling = 0
	default:
		ratio := float64(workers) * mean(s.taken.compile) / mean(s.taken.run)
		compiling = int(min(math.Ceil(ratio), float64(s.Compilers)))
	}
	return compiling + 2*workers + s.Pending
}

// begin starts the carrying out of the loop's jobs, until ctx ends.
func (s *looping) begin(ctx context.Context) jobs {
	if s.Recorded {
		r := &recordedJobs{loop: s, ctx: ctx, idle: s.Compilers}
		if s.guided != nil {
			r.made, _ = s.Prior.(Made)
		}
		if w := s.Search.Switching; w != nil {
			r.on, r.change = w.On, w.Seconds
		}
		return r
	}
	// Nothing blocks: no more jobs are open than depth allows at most.
	most := s.Compilers + 3*max(1, s.Workers) + s.Pending
	l := &liveJobs{loop: s, ctx: ctx, began: time.Now(), under: map[job]func(){}, toCompile: make(chan job, most), ended: make(chan event, most)}
	l.compiling, l.dropAll = context.WithCancel(ctx)
	if s.compiles() {
		for range s.Compilers {
			l.wait.Go(l.compileAll)
		}
	}
	if s.Limit > 0 {
		l.limit = time.NewTimer(s.Limit)
	}
	return l
}

// liveJobs are carried out by goroutines.
type liveJobs struct {
	loop      *looping
	ctx       context.Context
	began     time.Time
	toCompile chan job
	ended     chan event
	limit     *time.Timer // nil: none
	wait      sync.WaitGroup

	compiling context.Context
	dropAll   func()
	mutex     sync.Mutex
	open      int            // jobs that are to be compiled or are being compiled
	under     map[job]func() // jobs that are being compiled, and what ends each
	dropped   bool
}

func (l *liveJobs) compile(j job) {
	l.mutex.Lock()
	l.open++
	l.mutex.Unlock()
	l.toCompile <- j
}

// compileAll compiles jobs, and ends those that need no worker.
func (l *liveJobs) compileAll() {
	for j := range l.toCompile {
		ctx, end := context.WithCancel(l.compiling)
		l.mutex.Lock()
		l.under[j] = end
		l.mutex.Unlock()
		needs := l.compiling.Err() == nil && l.loop.Compile(ctx, j.number, j.Proposal)
		end()
		l.mutex.Lock()
		delete(l.under, j)
		dropped, err := l.dropped, l.compiling.Err() // which drop makes one with the other
		if !dropped {
			l.open--
		}
		l.mutex.Unlock()
		switch {
		case dropped:
		case err != nil:
			l.ended <- event{err: err}
		case needs:
			l.ended <- event{job: j, compiled: true}
		default:
			l.ended <- l.evaluated(NoWorker, j)
		}
	}
}

func (l *liveJobs) cut(doubts func(Proposal) bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for j, end := range l.under {
		if doubts(j.Proposal) {
			end()
		}
	}
}

func (l *liveJobs) evaluate(worker int, j job) {
	l.wait.Go(func() { l.ended <- l.evaluated(worker, j) })
}

func (l *liveJobs) evaluated(worker int, j job) event {
	trial, order, err := l.loop.Evaluate(l.ctx, worker, j.number, j.Proposal)
	return event{job: j, worker: worker, trial: trial, order: order, at: time.Since(l.began), err: err}
}

func (l *liveJobs) next() event {
	var limit <-chan time.Time
	if l.limit != nil {
		limit = l.limit.C
	}
	select {
	case e := <-l.ended:
		return e
	case <-limit:
		return event{late: true}
	}
}

func (l *liveJobs) time() time.Duration { return time.Since(l.began) }

func (l *liveJobs) drop() int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.dropAll()
	l.dropped = true
	return l.open
}

func (l *liveJobs) close() {
	l.dropAll()
	if l.limit != nil {
		l.limit.Stop()
	}
	close(l.toCompile)
	l.wait.Wait()
}

// worthMost takes the ready job that is to be evaluated first: of those that need no change of a parameter
// that takes time to change, if there are any.
func (s *looping) worthMost() job {
	choice := s.Search.Switching.without(s.Search.Tasks, s.ready, s.on)
	at := choice[0]
	if r, ok := s.strategy.(Ranker); ok && len(choice) > 1 && s.compiles() {
		points := make([]Proposal, len(choice))
		for i, c := range choice {
			points[i] = s.ready[c].Proposal
		}
		s.own(func() { at = choice[r.First(points)] })
	}
	j := s.ready[at]
	s.ready = slices.Delete(s.ready, at, at+1)
	if w := s.Search.Switching; w != nil {
		if v, ok := w.of(s.Search.Tasks[j.Task], j.Point); ok {
			s.on = v
		}
	}
	return j
}
