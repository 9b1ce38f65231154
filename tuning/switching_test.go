package tuning_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"example.org/bench/tuning"
)

// modal is a search of a space of 3 power modes, 10 to 12, by 8 values; every trial takes a second,
// and a change of the mode 5.
func modal(t *testing.T, strategy string, budget int) (l tuning.Loop, evaluated *[]float64) {
	t.Helper()
	under, err := space(t, 8).Under(tuning.Parameter{Name: tuning.PowerMode, Values: []float64{10, 11, 12}})
	if err != nil || under.Len() != 24 || under.Parameters[0].Name != tuning.PowerMode || under.Value(9, 0) != 11 || under.Value(9, 1) != 1 {
		t.Fatalf("%v, %+v", err, under)
	}
	l, evaluated = search(t, strategy, budget), new([]float64)
	l.Search.Tasks = []tuning.Task{{Space: under}}
	l.Search.Switching = &tuning.Switching{Parameter: tuning.PowerMode, On: 11, Seconds: 5}
	l.Recorded = true
	l.Evaluate = func(_ context.Context, _, n int, p tuning.Proposal) (tuning.Trial, int, error) {
		*evaluated = append(*evaluated, under.Value(p.Point, 0))
		return tuning.Trial{Point: p.Point, Cost: under.Value(p.Point, 1) + under.Value(p.Point, 0), OK: true, RunSeconds: 1}, n, nil
	}
	return l, evaluated
}

// changes counts where a list does, after what was on before.
func changes(on float64, list []float64) (n int) {
	for _, v := range list {
		if v != on {
			n++
		}
		on = v
	}
	return n
}

// Strategies that know nothing of it change the mode seldom too: of 24 points in random order
// two thirds would. The clock counts each change.
func TestSwitchesSeldom(t *testing.T) {
	for _, name := range []string{"exhaustive", "random", "best"} {
		l, evaluated := modal(t, name, 24)
		var last tuning.Progress
		switched := 0
		l.Done = func(p tuning.Progress) {
			if last = p; p.Trial.SwitchSeconds > 0 {
				switched++
			}
		}
		r, err := l.Run(context.Background())
		n := changes(11, *evaluated)
		if err != nil || len(r.Trials) != 24 || n < 2 || n > 8 || switched != n {
			t.Errorf("%s: %v, %d trials, %d changes, %d of them counted: %v", name, err, len(r.Trials), n, switched, *evaluated)
		}
		if took := last.At.Seconds(); took != float64(24+5*n) {
			t.Errorf("%s: %v s for 24 trials and %d changes", name, took, n)
		}
	}
}

// What changes take is learned from the trials, with what a trial after one takes longer.
func TestSwitchingLearns(t *testing.T) {
	l, _ := modal(t, "exhaustive", 24)
	l.Recorded = false
	on := 11.0
	evaluate := l.Evaluate
	l.Evaluate = func(ctx context.Context, w, n int, p tuning.Proposal) (tuning.Trial, int, error) {
		trial, _, err := evaluate(ctx, w, n, p)
		if v := l.Search.Tasks[0].Space.Value(p.Point, 0); v != on {
			on, trial.SwitchSeconds, trial.RunSeconds = v, 2, 4
		}
		return trial, n, err
	}
	if _, err := l.Run(context.Background()); err != nil || l.Search.Switching.Seconds != 2+3 {
		t.Errorf("%v, %v s; want 2 to switch and 3 more for the trial", err, l.Search.Switching.Seconds)
	}
}

// What is barred is not evaluated, is no trial and takes no budget; the strategy goes on.
func TestBarredProposals(t *testing.T) {
	for _, name := range []string{"exhaustive", "random", "best"} {
		l, evaluated := modal(t, name, 16)
		barred := false
		l.Done = func(p tuning.Progress) { barred = barred || l.Search.Tasks[0].Space.Value(p.Trial.Point, 0) == 10 }
		l.Barred = func(p tuning.Proposal) bool { return barred && l.Search.Tasks[0].Space.Value(p.Point, 0) == 10 }
		r, err := l.Run(context.Background())
		tens := len(slices.DeleteFunc(slices.Clone(*evaluated), func(v float64) bool { return v != 10 }))
		// One is evaluated, and those that were proposed by then.
		if err != nil || len(r.Trials) != len(*evaluated) || len(r.Trials) != 16 || r.Invalid != 0 || tens == 0 && name != "best" || tens > 7 {
			t.Errorf("%s: %v, %s, %d trials, %d of the barred mode: %v", name, err, fmt.Sprint(r.Stopped), len(r.Trials), tens, *evaluated)
		}
	}
}

func TestUnderIsBounded(t *testing.T) {
	values := make([]float64, 1<<16)
	for i := range values {
		values[i] = float64(i)
	}
	if _, err := space(t, 100).Under(tuning.Parameter{Name: "m", Values: values}); err == nil {
		t.Error("a space of more than 6 million points")
	}
}
