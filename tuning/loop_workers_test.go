package tuning_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"example.org/bench/tuning"
	"example.org/bench/tuning/strategy"
)

// Two workers evaluate at the same time: each waits for the other. The strategy is told
// in the order in which evaluations ended, whatever the order of the proposals.
func TestWorkersEvaluateTogether(t *testing.T) {
	l := search(t, "exhaustive", 10, 10)
	l.Workers = 2
	var mutex sync.Mutex
	met := map[int]chan struct{}{}
	pair := func(n int) chan struct{} {
		mutex.Lock()
		defer mutex.Unlock()
		if met[n/2] == nil {
			met[n/2] = make(chan struct{})
		}
		return met[n/2]
	}
	used := map[int]bool{}
	l.Evaluate = func(_ context.Context, worker, n int, p tuning.Proposal) (tuning.Trial, int, error) {
		if n%2 == 0 { // the second of each two ends first
			<-pair(n)
		} else {
			close(pair(n))
		}
		mutex.Lock()
		used[worker] = true
		mutex.Unlock()
		return tuning.Trial{Task: p.Task, Point: p.Point, Cost: 1, OK: true}, n ^ 1, nil
	}
	o, err := l.Run(t.Context())
	if err != nil || len(used) != 2 {
		t.Fatalf("%v, workers %v", err, used)
	}
	var order []int
	for _, x := range o.Trials {
		order = append(order, x.Point)
	}
	if !slices.Equal(order, []int{1, 0, 3, 2, 5, 4, 7, 6, 9, 8}) {
		t.Errorf("told in the order %v", order)
	}
}

// An evaluation of which nothing is known any more, as after damage of a journal, is not
// waited for; an error ends all workers.
func TestWorkersLoseOne(t *testing.T) {
	l := search(t, "random", 9, 20)
	l.Workers = 3
	inner := l.Evaluate
	l.Evaluate = func(ctx context.Context, w, n int, p tuning.Proposal) (tuning.Trial, int, error) {
		trial, order, err := inner(ctx, w, n, p)
		if order >= 4 {
			order++
		}
		return trial, order, err
	}
	if o, err := l.Run(t.Context()); err != nil || len(o.Trials) != 9 || o.Stopped != "the budget is spent" {
		t.Errorf("%+v, %v", o, err)
	}
	full := errors.New("disk full")
	l.Evaluate = func(ctx context.Context, w, n int, p tuning.Proposal) (tuning.Trial, int, error) {
		if n == 5 {
			return tuning.Trial{}, 0, full
		}
		if n > 5 {
			<-ctx.Done()
			return tuning.Trial{}, 0, ctx.Err()
		}
		return inner(ctx, w, n, p)
	}
	if o, err := l.Run(t.Context()); !errors.Is(err, full) || len(o.Trials) > 5 || o.Stopped != "disk full" {
		t.Errorf("%+v, %v", o, err)
	}
}

// Every strategy evaluates every point once with trials pending, and the trials in
// another order than it proposed them.
func TestStrategiesWithPendingTrials(t *testing.T) {
	for _, info := range strategy.All() {
		if info.Computes {
			continue
		}
		l := search(t, info.Name, 100, 12, 9)
		l.Search.Tasks[0].Size, l.Search.Tasks[1].Size = []float64{1}, []float64{2}
		l.Search.Options = map[string]float64{"patience": 0}
		l.Pending = 3
		inner := l.Evaluate
		l.Evaluate = func(ctx context.Context, w, n int, p tuning.Proposal) (tuning.Trial, int, error) {
			trial, order, err := inner(ctx, w, n, p)
			if order < 20 {
				order ^= 1
			}
			return trial, order, err
		}
		o, err := l.Run(t.Context())
		if err != nil || len(o.Trials) != 21 || o.Stopped != "every point is evaluated" || o.Best[0].Point != 0 || o.Best[1].Point != 0 {
			t.Errorf("%s: %d trials, %q, %v", info.Name, len(o.Trials), o.Stopped, err)
		}
	}
}
