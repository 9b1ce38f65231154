package knn

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
)

func TestPredict(t *testing.T) {
	samples := []Sample{{100, 1}, {10, 2}, {1000, 3}, {40, 2}}
	for _, c := range []struct {
		size, want int64
		o          Options
	}{
		{1, 2, Options{K: 1}},
		{100, 1, Options{K: 1}},
		{500, 1, Options{K: 1}},
		{500, 3, Options{K: 1, Log: true}},  // a factor of 2 against one of 5
		{70, 2, Options{K: 1}},              // 40 and 100 are equally far: the smaller
		{100, 2, Options{K: 3}},             // two votes of three
		{1000, 1, Options{K: 2}},            // a tie of votes: the least value
		{5_000_000_000, 3, Options{K: 1}},   // beyond all
		{5_000_000_000, 2, Options{K: 4}},   // all vote
		{316, 1, Options{K: 1, Log: true}},  // just below the middle of 100 and 1000
		{317, 3, Options{K: 1, Log: true}},  // just above
		{550, 1, Options{K: 1, Log: false}}, // in the middle: the smaller
	} {
		m, err := Train(samples, c.o)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Predict(c.size); got != c.want {
			t.Errorf("%+v: size %d gets %d, want %d", c.o, c.size, got, c.want)
		}
	}
}

// TestCrossValidation: where single samples stray, more neighbours are better
// than one; where they do not, one suffices.
func TestCrossValidation(t *testing.T) {
	var clean, stray []Sample
	for i := range int64(40) {
		s := Sample{i + 1, 1 + i/20}
		clean = append(clean, s)
		if i%7 == 3 {
			s.Value = 3 - s.Value
		}
		stray = append(stray, s)
	}
	// A third value lets k be 3.
	stray = append(stray, Sample{1000, 3}, Sample{1001, 3}, Sample{1002, 3}, Sample{1003, 3}, Sample{1004, 3})
	m, err := Train(clean, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if m.K != 1 {
		t.Errorf("k is %d for clean samples, want 1", m.K)
	}
	if m, err = Train(stray, Options{}); err != nil {
		t.Fatal(err)
	}
	if m.K != 3 {
		t.Errorf("k is %d for stray samples, want 3", m.K)
	}
}

func TestTrainErrors(t *testing.T) {
	for _, c := range []struct {
		samples []Sample
		o       Options
		want    string
	}{
		{nil, Options{}, "no samples"},
		{[]Sample{{5, 1}, {5, 2}}, Options{}, "two samples of size 5"},
		{[]Sample{{0, 1}}, Options{}, "size 0 is not positive"},
		{[]Sample{{1, 1}}, Options{K: 2}, "k is 2, with 1 samples"},
	} {
		if _, err := Train(c.samples, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.samples, err, c.want)
		}
	}
	if m, err := Train([]Sample{{5, 7}}, Options{}); err != nil || m.Predict(9) != 7 {
		t.Errorf("one sample: %v", err)
	}
}

// TestEvaluateCountsCoveredSplits: a value that only the sizes left out have cannot
// be predicted.
func TestEvaluateCountsCoveredSplits(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		samples []Sample
		least   int
		most    int
	}{
		{[]Sample{{1, 7}, {2, 7}, {3, 7}, {4, 7}}, 20, 20},
		{[]Sample{{1, 7}, {2, 8}, {3, 9}, {4, 10}}, 0, 0},
		{[]Sample{{1, 7}, {2, 7}, {3, 7}, {4, 8}}, 1, 19},
	} {
		e, err := Evaluate(c.samples, 1, 20, Options{K: 1}, rnd)
		if err != nil || e.Covered < c.least || e.Covered > c.most {
			t.Errorf("%v: %d of 20 splits are covered (%v), want %d to %d", c.samples, e.Covered, err, c.least, c.most)
		}
	}
}

// TestInterfaceSize: two equations a sub-system, of which the last may be smaller.
func TestInterfaceSize(t *testing.T) {
	for _, c := range []struct{ n, m, want int64 }{{8, 4, 4}, {9, 4, 6}, {11, 4, 6}, {12, 4, 6}, {3, 4, 2}, {5, 1, 10}} {
		if got := InterfaceSize(c.n, c.m); got != c.want {
			t.Errorf("%d unknowns by %d: %d, want %d", c.n, c.m, got, c.want)
		}
	}
}

// TestFromRun: the fastest row of each size counts, other precisions, failures and
// versions do not, and a corrected row stands before an observed one.
func TestFromRun(t *testing.T) {
	row := func(version, precision string, n, m int64, seconds float64) record.Row {
		var w record.Row
		w.Version, w.Status = version, record.OK
		w.Params = framework.SettingsOf(framework.Values{"N": framework.IntValue(n), "precision": framework.TextValue(precision)}, nil)
		w.Tunables = framework.SettingsOf(framework.Values{"m": framework.IntValue(m)}, nil)
		if seconds > 0 {
			w.Time.Median = record.Measured(seconds)
		}
		return w
	}
	failed := row("partition", "f64", 100, 64, 0.1)
	failed.Status = record.Failed
	run := &record.Run{Prefix: "x", Rows: []record.Row{
		row("partition", "f64", 100, 4, 3), row("partition", "f64", 100, 8, 2), row("partition", "f64", 100, 16, 2.5),
		row("partition", "f32", 100, 32, 1), failed, row("cr", "f64", 100, 20, 0.5),
		row("partition", "f64", 200, 8, 2), row("corrected", "f64", 200, 16, 3),
	}}
	c := Choice{Tunable: "m", Parameter: "N", Versions: []string{"partition", "corrected"}, Where: map[string]string{"precision": "f64"}}
	got, err := FromRun(run, c)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0] != (Sample{100, 8}) || got[1] != (Sample{200, 16}) {
		t.Errorf("%v, want 8 for 100 and 16 for 200", got)
	}
	c.Where = map[string]string{"precision": "f16"}
	if _, err := FromRun(run, c); err == nil {
		t.Error("no row has f16, and no error")
	}
	c.Where = nil
	if _, err := FromRun(run, c); err == nil || !strings.Contains(err.Error(), "differ in precision") {
		t.Errorf("two precisions: %v", err)
	}
	c.Where, c.Tunable = map[string]string{"precision": "f64"}, "R"
	if _, err := FromRun(run, c); err == nil || !strings.Contains(err.Error(), "row 1 of x has no N or no R") {
		t.Errorf("no row has R: %v", err)
	}
	c.Tunable = "m"
	run.Rows = append(run.Rows, row("partition", "f64", 300, 4, 0), row("partition", "f64", 300, 8, 0))
	if _, err := FromRun(run, c); err == nil || !strings.Contains(err.Error(), "not all with a time") {
		t.Errorf("two rows without times: %v", err)
	}
}

// The null accuracy of an evaluation is the mean of those of its splits: of two samples left out of three, of which
// two have one value, 1 where these two are left out, and else 1/2.
func TestNullOfSplits(t *testing.T) {
	samples := []Sample{{1, 7}, {2, 7}, {3, 9}}
	const splits = 50
	again, sum := rand.New(rand.NewPCG(3, 4)), 0.0
	for range splits {
		_, tested := Split(samples, 2, again)
		if tested[0].Value == tested[1].Value {
			sum++
		} else {
			sum += 0.5
		}
	}
	e, err := Evaluate(samples, 2, splits, Options{K: 1}, rand.New(rand.NewPCG(3, 4)))
	if err != nil {
		t.Fatal(err)
	}
	if want := sum / splits; math.Abs(e.Null-want) > 1e-12 || want == 0.5 || want == 1 {
		t.Errorf("null accuracy %v; want %v", e.Null, want)
	}
}
