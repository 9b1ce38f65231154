package engine

import (
	"slices"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
)

// several is an algorithm of two answers.
type several struct {
	*standIn
	answers []framework.Answer
}

func (s several) Answers() ([]framework.Answer, error) { return s.answers, nil }

// TestWhichCheckAnAnswerExplains: that of its metric, or else the last that failed and is
// not explained; an answer that is right by itself explains none but its own.
func TestWhichCheckAnAnswerExplains(t *testing.T) {
	answer := func(name, metric string, got int32) framework.Answer {
		return framework.Answer{Name: name, Metric: metric, Got: framework.ArrayOf([]int32{got}), Want: framework.ArrayOf([]int32{7})}
	}
	wrong := func(name string) string {
		return "1 of 1 element wrong; first " + name + "[0]: got 8, want 7"
	}
	const right = "no element is wrong by itself"
	checks := func(errors ...float64) (list []framework.Check) {
		for i, e := range errors {
			list = append(list, framework.Check{Metric: string(rune('a' + i)), Error: e, Bound: 1})
		}
		return list
	}
	for name, c := range map[string]struct {
		answers []framework.Answer
		checks  []framework.Check
		want    []string // where, of each check
	}{
		"one answer":                      {[]framework.Answer{answer("x", "", 8)}, checks(2), []string{wrong("x")}},
		"one that is right by itself":     {[]framework.Answer{answer("x", "", 7)}, checks(2), []string{right}},
		"of two the right one":            {[]framework.Answer{answer("x", "", 7), answer("y", "", 8)}, checks(2), []string{wrong("y")}},
		"of two, each its own":            {[]framework.Answer{answer("x", "b", 8), answer("y", "a", 7)}, checks(2, 2), []string{right, wrong("x")}},
		"what passed needs none":          {[]framework.Answer{answer("x", "a", 8)}, checks(0, 2), []string{"", ""}},
		"the last that failed":            {[]framework.Answer{answer("x", "", 8)}, checks(2, 2, 0), []string{"", wrong("x"), ""}},
		"and then the one before":         {[]framework.Answer{answer("x", "", 8), answer("y", "", 8)}, checks(2, 2), []string{wrong("y"), wrong("x")}},
		"a metric that is not among them": {[]framework.Answer{answer("x", "z", 8)}, checks(0, 2), []string{"", wrong("x")}},
	} {
		res := &record.Result{Checks: c.checks}
		(&worker{}).explain(several{&standIn{}, c.answers}, res, false)
		var got []string
		for _, x := range res.Checks {
			got = append(got, x.Where)
		}
		if !slices.Equal(got, c.want) || res.Notes != nil {
			t.Errorf("%s: %q, %q; want %q", name, got, res.Notes, c.want)
		}
	}
}

// TestNoRoomForTheRightAnswer: where a fast check had no need of it and it does not fit,
// what is wrong is not looked for.
func TestNoRoomForTheRightAnswer(t *testing.T) {
	for _, c := range []struct {
		how   framework.Verification
		bytes int64
		want  bool
	}{{framework.FastVerification, 1 << 60, false}, {framework.FastVerification, 1, true}, {framework.FullVerification, 1 << 60, true}} {
		w := &worker{factory: &framework.Factory{HostBytes: func(framework.Values) int64 { return c.bytes },
			Versions: []framework.Version{{Name: "v", Processor: framework.CPU, HostBytes: func(_, _ framework.Values, _ bool) int64 { return c.bytes }}}}}
		res := &record.Result{Point: pointOf("v", 1), Verification: c.how, Checks: []framework.Check{{Error: 2, Bound: 1}}}
		w.explain(several{&standIn{}, []framework.Answer{{Name: "x", Got: framework.ArrayOf([]int32{8}), Want: framework.ArrayOf([]int32{7})}}}, res, false)
		if got := res.Checks[0].Where != ""; got != c.want {
			t.Errorf("%+v: explained %v", c, got)
		}
	}
}
