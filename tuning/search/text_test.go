package search

import (
	"bytes"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// toldReport has a sweep point with a best that was measured again, and one without a valid
// point.
func toldReport() *Report {
	task := &Task{Name: "N 64", Base: plan.Point{Version: "v", TunableOrder: []string{"A"}}}
	none := &Task{Name: "N 128", Base: task.Base}
	loss := 0.25
	return &Report{Objective: Time, Tasks: []TaskReport{
		{Version: "v", Points: 8, Evaluations: 5, EndedEarly: 1, Invalid: 2, Tunables: framework.Values{"A": framework.IntValue(4)}, Cost: 1e-3, Task: task,
			Final: &Final{Best: Estimate{Value: 2e-3, Low: 1.9e-3, High: 2.1e-3}, Default: &Estimate{Value: 2.5e-3}},
			Insight: Insight{Importance: []Share{{"A", 0.8}}, Interactions: []Interaction{{A: "A", B: "B", Share: 0.1}}, DefaultsLoss: &loss,
				Reasons: []InvalidReason{{"failed", strings.Repeat("too many registers ", 10), 1}, {"wrong", "1 is not 2", 1}, {"wrong", "b", 1}, {"wrong", "c", 1}}}},
		{Version: "v", Points: 8, Evaluations: 3, Invalid: 3, Task: none},
		{Version: "w", Points: 8, Task: none},
	}}
}

func TestReportText(t *testing.T) {
	const table = `VERSION  AT     POINTS  EVALUATIONS  INVALID  BEST     DEFAULTS  GAIN   TUNABLES
v        N 64   8       5            2        2.00 ms  2.500 ms  1.250  A=4
v        N 128  8       3            3        none                      no valid point
w        N 128  8       0            0        none                      no valid point
`
	r := toldReport()
	if got := r.Table(); got != table {
		t.Errorf("%s, want\n%s", got, table)
	}
	insights := `v N 64
  what matters, of the variance of log time: A 80 %, A with B 10 % more
  2 of 5 invalid: 1 failed (` + strings.Repeat("too many registers ", 10)[:80] + `…), 1 wrong (1 is not 2), 1 wrong (b), and for 1 more reason
  1 of 3 trials ended early: slower than the best by then
v N 128
`
	if got := r.Insights(); got != insights {
		t.Errorf("%s, want\n%s", got, insights)
	}
	r.Tasks[0].Final = nil // the table has no gain then
	const loss = "  the defaults cost 25 % more than the best\n"
	if got := r.Insights(); !strings.Contains(got, loss) {
		t.Errorf("no %q in\n%s", loss, got)
	}
}

// Elsewhere than on a terminal there is a line for each improvement, for what went wrong
// each twentieth of the budget, and for what was measured again.
func TestProgressLines(t *testing.T) {
	var out bytes.Buffer
	p := &Progress{objective: Time, colours: true}
	p.Total, p.ToGo = 3, 3
	p.Start(&out, p.Text)
	task := &Task{Name: "N 64", Base: plan.Point{Version: "v"}}
	v := &Version{Version: &framework.Version{Name: "v"}, Tasks: []*Task{task}, Budget: 3}
	point := plan.Point{Algorithm: "toy", Version: "v", Device: "cpu", TunableOrder: []string{"A"}, Tunables: framework.Values{"A": framework.IntValue(4)}}
	for i, r := range []record.Result{{Point: point, Status: record.OK}, {Point: point, Status: record.Wrong, Reason: "1 is not 2"}, {Point: point, Status: record.OK}} {
		p.Started(point)
		p.Phase(point, "time")
		p.Done(&r)
		trial := Trial{Task: task, Result: r}
		trial.OK, trial.Cost, trial.Best, trial.Earlier = r.Status == record.OK, 1e-3, i == 0, true
		p.Tried(v, trial, i+1)
	}
	p.Confirmed(v, task)
	task.Final = &Final{Point: 1, Best: Estimate{Value: 1e-3}, Default: &Estimate{Value: 2e-3}}
	p.Confirmed(v, task)
	p.Close()
	want := "[1/3] v N 64  best 1.000 ms  A=4\n[2/3] v N 64  \x1b[31mwrong\x1b[m: 1 is not 2\n[3/3] v N 64  no improvement\n" +
		"v N 64: the best trials do not run any more\nv N 64: best 1.000 ms; the defaults take 2.000 ms\n"
	if out.String() != want {
		t.Errorf("%q, want\n%q", out.String(), want)
	}
}

// A search ends with what it gained, how sure that is, and how sure it is that nothing better
// is left.
func TestFinding(t *testing.T) {
	r := toldReport()
	if got := r.Finding(); got.Text != "the defaults take 1.250 times the time of the best, v N 64, without an interval" || got.Told {
		t.Errorf("%+v", got)
	}
	left := 0.031
	r.Tasks[0].Left = &Remaining{Points: 3, BetterBy: &left, Sure: 0.95}
	for _, c := range []struct {
		defaults Estimate
		want     string
		told     bool
	}{
		{Estimate{Value: 2.5e-3, Low: 2.4e-3, High: 2.6e-3}, "the defaults take 1.25 (1.17 to 1.33) times the time of the best, v N 64; 95 % sure that nothing left is better by more than 3.1 %", true},
		{Estimate{Value: 2.1e-3, Low: 2.0e-3, High: 2.2e-3}, "no gain over the defaults is shown at any of 1 sweep point; 95 % sure that nothing left is better by more than 3.1 %", false},
	} {
		r.Tasks[0].Final.Default = &c.defaults
		if got := r.Finding(); got.Text != c.want || got.Told != c.told {
			t.Errorf("%+v, want %q", got, c.want)
		}
	}
	if got := (&Report{Tasks: r.Tasks[1:]}).Finding(); got.Text != "" {
		t.Errorf("of nothing: %+v", got)
	}
}
