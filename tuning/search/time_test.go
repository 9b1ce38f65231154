package search

import (
	"strings"
	"testing"
	"time"

	"example.org/bench/tuning"
)

// A time ends the searches of all versions together, and patience each; both leave a
// result.
func TestBudgetsBesideANumber(t *testing.T) {
	y := &toy{}
	o := y.options("exhaustive")
	o.Budget, o.Limit = 0, time.Nanosecond
	s := y.open(t, `"versions": ["exact", "real"], "sweep_arg": {"N": [2, 5]}`, o)
	if err := s.Run(t.Context(), journalIn(t, t.TempDir()), nil, &show{}); err != nil {
		t.Fatal(err)
	}
	for _, v := range s.Versions {
		if n := len(v.Outcome.Trials); v.Outcome.Stopped != "the time is up" || n > 2 {
			t.Errorf("%s: %d trials, %s", v.Name, n, v.Outcome.Stopped)
		}
	}
	o = y.options("exhaustive")
	o.Budget, o.Patience = 0, &tuning.Patience{Least: 2, Gain: 0.01}
	s = y.open(t, `"versions": ["exact"], "tunables": {"A": [3], "B": [2, 1, 3]}`, o)
	if err := s.Run(t.Context(), journalIn(t, t.TempDir()), nil, &show{}); err != nil {
		t.Fatal(err)
	}
	if out := s.Versions[0].Outcome; len(out.Trials) != 3 || !s.Found() || !strings.Contains(s.Report().Tasks[0].Stopped, "every point") && !strings.Contains(s.Report().Tasks[0].Stopped, "unlikely") {
		t.Errorf("%d trials, %s", len(out.Trials), out.Stopped)
	}
}
