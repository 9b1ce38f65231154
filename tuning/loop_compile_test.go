package tuning_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"example.org/bench/tuning"
)

// compiles sets a compiler that does what do says; it returns how many compile at a time
// at most, and which points were.
func compiles(l *tuning.Loop, compilers int, do func(ctx context.Context, p tuning.Proposal) bool) (most *int, points map[int]int) {
	var mutex sync.Mutex
	now := 0
	most, points = new(int), map[int]int{}
	l.Compilers = compilers
	l.Compile = func(ctx context.Context, _ int, p tuning.Proposal) bool {
		mutex.Lock()
		now++
		*most = max(*most, now)
		points[p.Point]++
		mutex.Unlock()
		defer func() { mutex.Lock(); now--; mutex.Unlock() }()
		return do(ctx, p)
	}
	return most, points
}

// inOrder numbers evaluations as they end.
func inOrder(l *tuning.Loop) {
	inner, ended := l.Evaluate, 0
	var mutex sync.Mutex
	l.Evaluate = func(ctx context.Context, worker, n int, p tuning.Proposal) (tuning.Trial, int, error) {
		t, _, err := inner(ctx, worker, n, p)
		mutex.Lock()
		defer mutex.Unlock()
		ended++
		return t, ended - 1, err
	}
}

// Every point is compiled once, before it is evaluated, and no more at a time than there
// are compilers.
func TestCompilesBeforeEvaluating(t *testing.T) {
	l := search(t, "random", 10, 12)
	inOrder(&l)
	three := make(chan struct{})
	entered := make(chan int, 12)
	most, points := compiles(&l, 3, func(context.Context, tuning.Proposal) bool {
		if entered <- 0; len(entered) == 3 {
			close(three)
		}
		<-three
		return true
	})
	inner := l.Evaluate
	l.Evaluate = func(ctx context.Context, worker, n int, p tuning.Proposal) (tuning.Trial, int, error) {
		if len(entered) == 0 {
			t.Errorf("point %d is evaluated before anything is compiled", p.Point)
		}
		return inner(ctx, worker, n, p)
	}
	o, err := l.Run(t.Context())
	if err != nil || *most != 3 || len(points) != 10 {
		t.Errorf("%d points, %d at a time, %v", len(points), *most, err)
	}
	for _, x := range o.Trials {
		if points[x.Point] != 1 {
			t.Errorf("point %d was compiled %d times", x.Point, points[x.Point])
		}
	}
}

// The first evaluation begins as soon as one kernel is compiled, whatever the others
// take, and one that never gets compiled holds up no other.
func TestMeasuringWaitsForNoCompiler(t *testing.T) {
	l := search(t, "exhaustive", 12, 12)
	inOrder(&l)
	evaluated := make(chan int, 12)
	enough := make(chan struct{})
	compiles(&l, 3, func(ctx context.Context, p tuning.Proposal) bool {
		if p.Point < 2 { // until nine others are evaluated
			<-enough
		}
		return true
	})
	inner := l.Evaluate
	l.Evaluate = func(ctx context.Context, worker, n int, p tuning.Proposal) (tuning.Trial, int, error) {
		if evaluated <- p.Point; len(evaluated) == 9 {
			close(enough)
		}
		return inner(ctx, worker, n, p)
	}
	o, err := l.Run(t.Context())
	if err != nil || len(o.Trials) != 12 {
		t.Fatalf("%d trials, %v", len(o.Trials), err)
	}
	for i, x := range o.Trials[:9] { // the last three come as they are compiled
		if x.Point < 2 {
			t.Errorf("trial %d is of point %d", i, x.Point)
		}
	}
}

// Compilers go on while a point is evaluated, and points that are known not to run take
// no worker.
func TestCompilersWaitForNoMeasuring(t *testing.T) {
	l := search(t, "exhaustive", 8, 8)
	inOrder(&l)
	others := make(chan struct{})
	var mutex sync.Mutex
	bad := 0
	compiles(&l, 2, func(_ context.Context, p tuning.Proposal) bool { return p.Point == 0 })
	inner := l.Evaluate
	l.Evaluate = func(ctx context.Context, worker, n int, p tuning.Proposal) (tuning.Trial, int, error) {
		if worker != tuning.NoWorker {
			<-others // until three are known not to run
			return inner(ctx, worker, n, p)
		}
		mutex.Lock()
		if bad++; bad == 3 {
			close(others)
		}
		mutex.Unlock()
		_, order, err := inner(ctx, worker, n, p)
		return tuning.Trial{Task: p.Task, Point: p.Point}, order, err
	}
	o, err := l.Run(t.Context())
	if err != nil || len(o.Trials) != 8 || o.Invalid != 7 || o.Trials[0].OK {
		t.Errorf("%+v, %v", o, err)
	}
}

// A search that is interrupted while everything is compiled ends.
func TestInterruptedCompilers(t *testing.T) {
	l := search(t, "exhaustive", 8, 8)
	ctx, cancel := context.WithCancel(t.Context())
	compiles(&l, 2, func(ctx context.Context, p tuning.Proposal) bool {
		cancel()
		<-ctx.Done()
		return true
	})
	if o, err := l.Run(ctx); !errors.Is(err, context.Canceled) || o.Stopped != "interrupted" {
		t.Errorf("%+v, %v", o, err)
	}
}

// recordedSearch is one on recorded seconds, of points in their order.
func recordedSearch(t *testing.T, compilers int, compile, run []float64) (tuning.Loop, *[]string) {
	l := search(t, "exhaustive", len(run), len(run))
	l.Recorded, l.Compilers = true, compilers
	l.Evaluate = func(_ context.Context, _, n int, p tuning.Proposal) (tuning.Trial, int, error) {
		return tuning.Trial{Task: p.Task, Point: p.Point, Cost: 1, OK: run[p.Point] > 0, CompileSeconds: compile[p.Point], RunSeconds: run[p.Point]}, n, nil
	}
	log := &[]string{}
	l.Done = func(p tuning.Progress) { *log = append(*log, fmt.Sprintf("%d at %v", p.Trial.Point, p.At)) }
	return l, log
}

// What a search takes is counted from what its trials took, as if compilers and worker
// were at work at the same time.
func TestRecordedClock(t *testing.T) {
	compile, run := []float64{4, 1, 2, 3, 1}, []float64{1, 1, 0, 2, 1}
	for compilers, want := range map[int][]string{
		0: {"0 at 5s", "1 at 7s", "2 at 9s", "3 at 14s", "4 at 16s"},
		// 0: 0 to 4, 1: 4 to 5, 2: 5 to 7, 3: 7 to 10, 4: 10 to 11.
		1: {"0 at 5s", "1 at 6s", "2 at 7s", "3 at 12s", "4 at 13s"},
		// 1: 0 to 1, 2: 1 to 3, 3: 3 to 6, 0: 0 to 4, 4: 4 to 5.
		2: {"1 at 2s", "2 at 3s", "0 at 5s", "4 at 6s", "3 at 8s"},
	} {
		l, log := recordedSearch(t, compilers, compile, run)
		if _, err := l.Run(t.Context()); err != nil || !slices.Equal(*log, want) {
			t.Errorf("%d compilers: %v, want %v; %v", compilers, *log, want, err)
		}
	}
}

// A limit ends the search: what is being evaluated ends, the rest is left.
func TestLimit(t *testing.T) {
	compile, run := []float64{4, 1, 2, 3, 1}, []float64{1, 1, 0, 2, 1}
	for compilers, want := range map[int][]string{0: {"0 at 5s", "1 at 7s"}, 2: {"1 at 2s", "2 at 3s", "0 at 5s"}} {
		l, log := recordedSearch(t, compilers, compile, run)
		l.Limit = 5500 * time.Millisecond
		if compilers > 0 {
			l.Limit = 4500 * time.Millisecond
		}
		if o, err := l.Run(t.Context()); err != nil || !slices.Equal(*log, want) || o.Stopped != "the time is up" {
			t.Errorf("%d compilers: %v, want %v; %q, %v", compilers, *log, want, o.Stopped, err)
		}
	}
	l := search(t, "exhaustive", 8, 8)
	inOrder(&l)
	compiles(&l, 2, func(ctx context.Context, p tuning.Proposal) bool {
		if p.Point > 2 {
			<-ctx.Done()
		}
		return true
	})
	l.Limit = 20 * time.Millisecond
	if o, err := l.Run(t.Context()); err != nil || o.Stopped != "the time is up" || len(o.Trials) > 3 {
		t.Errorf("%+v, %v", o, err)
	}
}

// Where a kernel is compiled long before it can be evaluated, few are proposed ahead.
func TestProposesNoFurtherAheadThanItHelps(t *testing.T) {
	for _, x := range []struct {
		compile float64
		want    int // proposals open when the last is told of
	}{{0.5, 3}, {4, 6}, {100, 10}} {
		n := 60
		compile, run := make([]float64, n), make([]float64, n)
		for i := range n {
			compile[i], run[i] = x.compile, 1
		}
		l, _ := recordedSearch(t, 8, compile, run)
		l.Search.Budget = n
		var counted *counting
		inner := l.Strategy.New
		l.Strategy.New = func(s tuning.Search) (tuning.Strategy, error) {
			one, err := inner(s)
			counted = &counting{Strategy: one}
			return counted, err
		}
		open := 0
		l.Done = func(p tuning.Progress) {
			if p.Evaluations == n/2 {
				open = counted.proposed - p.Evaluations + 1
			}
		}
		if _, err := l.Run(t.Context()); err != nil || open != x.want {
			t.Errorf("compiling takes %v: %d open, want %d; %v", x.compile, open, x.want, err)
		}
	}
}

// counting counts what is proposed.
type counting struct {
	tuning.Strategy
	proposed int
}

func (c *counting) Next() (int, int, bool) { c.proposed++; return c.Strategy.Next() }

// picky would have the greatest point first.
type picky struct{ tuning.Strategy }

func (picky) First(pending []tuning.Proposal) int {
	at := 0
	for i, p := range pending {
		if p.Point > pending[at].Point {
			at = i
		}
	}
	return at
}

// What is ready is evaluated in the order in which the strategy wants it.
func TestEvaluatesWhatIsWorthMost(t *testing.T) {
	l, log := recordedSearch(t, 4, []float64{1, 2, 2, 2, 9}, []float64{3, 1, 1, 1, 1})
	inner := l.Strategy.New
	l.Strategy.New = func(s tuning.Search) (tuning.Strategy, error) {
		one, err := inner(s)
		return picky{one}, err
	}
	if _, err := l.Run(t.Context()); err != nil || !slices.Equal(*log, []string{"0 at 4s", "3 at 5s", "2 at 6s", "1 at 7s", "4 at 11s"}) {
		t.Errorf("%v, %v", *log, err)
	}
}

// A search gives up after enough trials without a gain, of every task.
func TestPatience(t *testing.T) {
	l := search(t, "exhaustive", 100, 100)
	cost := []float64{10, 9.95, 8, 8.5, 7.99, 9, 9}
	l.Evaluate = func(_ context.Context, _, n int, p tuning.Proposal) (tuning.Trial, int, error) {
		return tuning.Trial{Task: p.Task, Point: p.Point, Cost: cost[min(n, len(cost)-1)], OK: true}, n, nil
	}
	for _, x := range []struct {
		tuning.Patience
		want int
	}{{tuning.Patience{Least: 3, Gain: 0.01}, 6}, {tuning.Patience{Least: 3, Gain: 0.001}, 8}, {tuning.Patience{Least: 1, Share: 2, Gain: 0.01}, 9}, {tuning.Patience{Least: 2, Share: 4, Gain: 0.01}, 15}} {
		l.Patience = &x.Patience
		if o, err := l.Run(t.Context()); err != nil || len(o.Trials) != x.want {
			t.Errorf("%+v: %d trials, want %d; %q, %v", x.Patience, len(o.Trials), x.want, o.Stopped, err)
		}
	}
}

// A search that was interrupted, whatever was being compiled, goes on as it went: what its
// trials took says how far ahead it proposed.
func TestGoesOnInTheOrderOfTheTrials(t *testing.T) {
	type kept struct {
		tuning.Proposal
		order int
	}
	var journal []kept
	run := func(trials int) []tuning.Trial {
		l := search(t, "best", trials, 60)
		chance := rand.New(rand.NewPCG(uint64(len(journal)), 5))
		var mutex sync.Mutex
		earlier := slices.Clone(journal)
		at := func(p tuning.Proposal) int {
			return slices.IndexFunc(earlier, func(k kept) bool { return k.Proposal == p })
		}
		compiles(&l, 4, func(_ context.Context, p tuning.Proposal) bool {
			if at(p) >= 0 {
				return false
			}
			mutex.Lock()
			turns := chance.IntN(200)
			mutex.Unlock()
			for range turns {
				runtime.Gosched()
			}
			return true
		})
		l.Evaluate = func(_ context.Context, worker, n int, p tuning.Proposal) (tuning.Trial, int, error) {
			trial := tuning.Trial{Task: p.Task, Point: p.Point, Cost: float64(10 + p.Point), OK: p.Point%3 > 0, CompileSeconds: float64(1 + p.Point%4), RunSeconds: 1}
			if i := at(p); i >= 0 {
				return trial, earlier[i].order, nil
			}
			mutex.Lock()
			defer mutex.Unlock()
			journal = append(journal, kept{p, len(journal)})
			return trial, len(journal) - 1, nil
		}
		o, err := l.Run(t.Context())
		if err != nil || len(o.Trials) != trials {
			t.Fatalf("%d trials, %v", len(o.Trials), err)
		}
		return o.Trials
	}
	first := run(25)
	again := run(40)
	for i, x := range first {
		if again[i] != x {
			t.Fatalf("trial %d: %+v, was %+v", i, again[i], x)
		}
	}
	if len(journal) != 40 {
		t.Errorf("%d points evaluated, want 40", len(journal))
	}
}
