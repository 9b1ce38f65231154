package experiment_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// TestTally counts by version; the worst check is that which is furthest beyond its
// bound, and no number is worse than any.
func TestTally(t *testing.T) {
	result := func(version string, status record.Status, reason string, checks ...framework.Check) record.Result {
		return record.Result{Point: plan.Point{Version: version}, Status: status, Reason: reason, Checks: checks, Notes: []string{"no peer", "no reference"}}
	}
	var x experiment.Tally
	if !strings.Contains(x.Nothing(), "no version could run") {
		t.Errorf("nothing: %s", x.Nothing())
	}
	x.Add(result("a", record.Skipped, "too large"))
	x.Add(result("a", record.Skipped, "too large"))
	if x.Nothing() != "every point is skipped" || len(x.Versions) != 1 || !slices.Equal(x.Versions[0].Reasons, []string{"too large"}) {
		t.Errorf("skipped: %s, %+v", x.Nothing(), x.Versions[0])
	}
	for _, c := range []struct {
		check framework.Check
		worst string
	}{
		{framework.Check{Metric: "first", Error: 0, Bound: 1}, "first"},
		{framework.Check{Metric: "half", Error: 1, Bound: 2}, "half"},
		{framework.Check{Metric: "half again", Error: 2, Bound: 4}, "half"},
		{framework.Check{Metric: "less", Error: 3, Bound: 8}, "half"},
		{framework.Check{Metric: "more", Error: 5, Bound: 8}, "more"},
		{framework.Check{Metric: "none", Error: math.NaN(), Bound: 1}, "none"},
		{framework.Check{Metric: "none again", Error: math.NaN(), Bound: 1}, "none"},
		{framework.Check{Metric: "infinite", Error: math.Inf(1), Bound: 1}, "none"},
	} {
		x.Add(result("b", record.OK, "", c.check))
		if got := x.Versions[1].Worst.Metric; got != c.worst {
			t.Errorf("after %+v the worst is %s, want %s", c.check, got, c.worst)
		}
	}
	x.Add(result("b", record.OK, ""))
	x.Add(result("b", record.Failed, "fault"))
	b := x.Versions[1]
	if x.Nothing() != "" || x.OK != 9 || x.Bad != 1 || x.Skipped != 2 || b.OK != 9 || b.Bad != 1 || b.Skipped != 0 || b.Unchecked != 1 || b.WhyUnchecked != "no peer; no reference" ||
		len(b.Failures) != 1 || b.Failures[0].Reason != "fault" {
		t.Errorf("%+v, %+v", x, b)
	}
	bad := experiment.Tally{}
	if bad.Add(result("a", record.Failed, "")); bad.Nothing() != "" {
		t.Errorf("a failure: %s", bad.Nothing())
	}
	if sum := experiment.Sum([]*experiment.Tally{&x, &x, &bad}); sum.OK != 18 || sum.Bad != 3 || sum.Skipped != 4 || sum.Versions != nil {
		t.Errorf("%+v", sum)
	}
	if text, err := json.Marshal(experiment.Worst{Where: "at 3"}); err != nil || string(text) != `{"metric":"","bound":0,"where":"at 3","error":0}` {
		t.Errorf("%s, %v", text, err)
	}
	for _, c := range []struct {
		error float64
		want  string
	}{{0.5, `{"metric":"m","bound":1,"error":0.5}`}, {math.NaN(), `{"metric":"m","bound":1,"error":null}`}, {math.Inf(-1), `{"metric":"m","bound":1,"error":null}`}} {
		if text, err := json.Marshal(experiment.Worst{Metric: "m", Error: c.error, Bound: 1}); err != nil || string(text) != c.want {
			t.Errorf("%v: %s, %v", c.error, text, err)
		}
	}
}
