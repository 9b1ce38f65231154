package record

import (
	"testing"

	"example.org/bench/framework/plan"
)

// Skipped points are good, but a run in which nothing else remains measured nothing; the
// first that is not ok is shown, and rather one that is not skipped.
func TestGood(t *testing.T) {
	list := func(statuses ...Status) (all []Result) {
		for i, s := range statuses {
			all = append(all, Result{Point: plan.Point{Algorithm: "toy", Version: string(rune('a' + i)), Device: "cpu"}, Status: s, Reason: "why"})
		}
		return all
	}
	for _, c := range []struct {
		results []Result
		good    bool
		unwell  string
	}{
		{list(OK, Skipped), true, "1 of 2 points not ok; toy/b@cpu is skipped: why"},
		{list(Skipped), false, "1 of 1 point not ok; toy/a@cpu is skipped: why"},
		{list(OK, Skipped, Timeout, Wrong), false, "3 of 4 points not ok; toy/c@cpu is timeout: why"},
	} {
		if got := Good(c.results); got != c.good {
			t.Errorf("%v: %v", c.results, got)
		}
		if got := Unwell(c.results); got != c.unwell {
			t.Errorf("%q, want %q", got, c.unwell)
		}
	}
	if Good(nil) {
		t.Error("nothing is good")
	}
}
