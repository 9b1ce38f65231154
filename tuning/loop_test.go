package tuning_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/bench/tuning"
	"example.org/bench/tuning/strategy"
)

func space(t *testing.T, points int) *tuning.Space {
	t.Helper()
	p := tuning.Parameter{Name: "a", Values: []float64{0}}
	var rows [][]uint16
	for i := range points {
		if i > 0 {
			p.Values = append(p.Values, float64(i))
		}
		rows = append(rows, []uint16{uint16(i)})
	}
	s, err := tuning.NewSpace([]tuning.Parameter{p}, rows)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// search costs 10+point in every task; odd points are invalid.
func search(t *testing.T, name string, budget int, sizes ...int) tuning.Loop {
	s := tuning.Loop{Strategy: *strategy.Find(name), Search: tuning.Search{Budget: budget, Rand: rand.New(rand.NewPCG(1, 1))}}
	for _, n := range sizes {
		s.Search.Tasks = append(s.Search.Tasks, tuning.Task{Space: space(t, n)})
	}
	s.Evaluate = func(_ context.Context, _, n int, p tuning.Proposal) (tuning.Trial, int, error) {
		return tuning.Trial{Task: p.Task, Point: p.Point, Cost: float64(10 + p.Point), OK: p.Point%2 == 0}, n, nil
	}
	return s
}

// TestDoneHasWhatTrialsAreOf: what Evaluate says of a trial comes with it, whichever ends first.
func TestDoneHasWhatTrialsAreOf(t *testing.T) {
	l := search(t, "random", 20, 20)
	l.Workers = 3
	evaluate := l.Evaluate
	l.Evaluate = func(ctx context.Context, worker, n int, p tuning.Proposal) (tuning.Trial, int, error) {
		trial, order, err := evaluate(ctx, worker, n, p)
		trial.Of = []int{p.Point} // what has no ==, as a result
		return trial, order, err
	}
	told := 0
	l.Done = func(p tuning.Progress) {
		if of, ok := p.Trial.Of.([]int); !ok || of[0] != p.Trial.Point {
			t.Errorf("%+v", p.Trial)
		}
		told++
	}
	if _, err := l.Run(context.Background()); err != nil || told != 20 {
		t.Errorf("%d trials, %v", told, err)
	}
}

func TestEndsCleanly(t *testing.T) {
	for _, x := range []struct {
		sizes               []int
		budget, trials, bad int
		stopped             string
	}{
		{[]int{1}, 10, 1, 0, "every point"},
		{[]int{2}, 10, 2, 1, "every point"},
		{[]int{2, 5}, 100, 7, 3, "every point"},
		{[]int{20}, 5, 5, -1, "budget"},
		{[]int{3}, 0, 0, 0, "budget"},
	} {
		for _, strategy := range []string{"exhaustive", "random"} {
			r, err := search(t, strategy, x.budget, x.sizes...).Run(context.Background())
			if err != nil || len(r.Trials) != x.trials || x.bad >= 0 && r.Invalid != x.bad || !strings.Contains(r.Stopped, x.stopped) {
				t.Errorf("%s of %v at budget %d: %d trials, %d invalid, %q, %v", strategy, x.sizes, x.budget, len(r.Trials), r.Invalid, r.Stopped, err)
			}
		}
	}
	s := search(t, "exhaustive", 10, 4)
	s.Evaluate = func(_ context.Context, _, n int, p tuning.Proposal) (tuning.Trial, int, error) {
		return tuning.Trial{Task: p.Task, Point: p.Point}, n, nil
	}
	if r, err := s.Run(context.Background()); err != nil || r.Best[0].OK || r.Invalid != 4 {
		t.Errorf("all invalid: %+v, %v", r, err)
	}
}

func TestBestByTask(t *testing.T) {
	r, err := search(t, "random", 100, 9, 6).Run(context.Background())
	if err != nil || r.Best[0].Point != 0 || r.Best[1].Point != 0 || r.Best[1].Task != 1 {
		t.Fatalf("%+v, %v", r.Best, err)
	}
}

func TestInterruptAndErrorsKeepTrials(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := search(t, "exhaustive", 10, 10)
	s.Done = func(p tuning.Progress) {
		if p.Evaluations == 3 {
			cancel()
		}
	}
	if r, err := s.Run(ctx); !errors.Is(err, context.Canceled) || len(r.Trials) != 3 || r.Stopped != "interrupted" {
		t.Errorf("%+v, %v", r, err)
	}
	s = search(t, "exhaustive", 10, 10)
	evaluate := s.Evaluate
	s.Evaluate = func(ctx context.Context, w, n int, p tuning.Proposal) (tuning.Trial, int, error) {
		if p.Point == 4 {
			return tuning.Trial{}, 0, errors.New("disk full")
		}
		return evaluate(ctx, w, n, p)
	}
	if r, err := s.Run(context.Background()); err == nil || len(r.Trials) != 4 {
		t.Errorf("%+v, %v", r, err)
	}
}

type stubborn struct{ calls int }

func (s *stubborn) Next() (int, int, bool) { s.calls++; return 0, s.calls / 3, true }
func (s *stubborn) Tell(tuning.Trial)      {}

func TestRefusesRepeatedProposals(t *testing.T) {
	s := search(t, "random", 10, 5)
	s.Strategy.New = func(tuning.Search) (tuning.Strategy, error) { return &stubborn{}, nil }
	if _, err := s.Run(context.Background()); err == nil || !strings.Contains(err.Error(), "again") {
		t.Errorf("%v", err)
	}
}

// TestBestWithoutTrials: there is no point.
func TestBestWithoutTrials(t *testing.T) {
	if r, err := search(t, "random", 0, 9, 6).Run(context.Background()); err != nil || r.Best[0].Point != -1 || r.Best[1].Point != -1 || r.Best[1].OK {
		t.Errorf("%+v, %v", r.Best, err)
	}
}

// outside proposes a point that is not there.
type outside struct{ task, point int }

func (s outside) Next() (int, int, bool) { return s.task, s.point, true }
func (outside) Tell(tuning.Trial)        {}

func TestRefusesWhatIsNotThere(t *testing.T) {
	for _, p := range []outside{{0, 5}, {0, -1}, {1, 0}, {-1, 0}} {
		s := search(t, "random", 10, 5)
		s.Strategy.New = func(tuning.Search) (tuning.Strategy, error) { return p, nil }
		if r, err := s.Run(context.Background()); err == nil || !strings.Contains(err.Error(), "not there") || len(r.Trials) != 0 {
			t.Errorf("point %d of task %d: %d trials, %v", p.point, p.task, len(r.Trials), err)
		}
	}
}

// TestOwnTimeIsTheStrategys counts the clock's advance while the strategy is
// asked or told, and not while a point is evaluated.
func TestOwnTimeIsTheStrategys(t *testing.T) {
	var now time.Duration
	l := search(t, "exhaustive", 10, 3)
	evaluate := l.Evaluate
	l.Evaluate = func(ctx context.Context, w, n int, p tuning.Proposal) (tuning.Trial, int, error) {
		now += time.Hour
		return evaluate(ctx, w, n, p)
	}
	l.Clock = func() time.Duration { now += time.Millisecond; return now }
	o, err := l.Run(context.Background())
	// Made once, asked four times and told three times.
	if err != nil || o.Own != 8*time.Millisecond {
		t.Errorf("%v of its own, %v; want 8 ms", o.Own, err)
	}
}

func TestNewSpaceRefuses(t *testing.T) {
	a := []tuning.Parameter{{Name: "a", Values: []float64{4, 8}}}
	for want, rows := range map[string][][]uint16{
		"point 1: a has no value number 2":                {{1}, {2}},
		"point 0 has 2 values; the space has 1 parameter": {{0, 1}},
		"points 0 and 2 are the same":                     {{1}, {0}, {1}},
	} {
		if _, err := tuning.NewSpace(a, rows); err == nil || err.Error() != want {
			t.Errorf("%v: %v, want %s", rows, err, want)
		}
	}
}

// Of equal costs the one found first stays the best.
func TestFirstOfEqualsIsTheBest(t *testing.T) {
	s := search(t, "exhaustive", 10, 5)
	s.Evaluate = func(_ context.Context, _, n int, p tuning.Proposal) (tuning.Trial, int, error) {
		return tuning.Trial{Task: p.Task, Point: p.Point, Cost: 7, OK: true}, n, nil
	}
	var improved []bool
	s.Done = func(p tuning.Progress) { improved = append(improved, p.Improved) }
	r, err := s.Run(t.Context())
	if err != nil || r.Best[0] != r.Trials[0] || !slices.Equal(improved, []bool{true, false, false, false, false}) {
		t.Errorf("best %+v of %+v, improved %v, %v", r.Best, r.Trials, improved, err)
	}
}
