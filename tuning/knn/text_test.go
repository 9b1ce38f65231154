package knn

import (
	"testing"

	"example.org/bench/framework/record"
)

// Runs for m and R together give the sub-system sizes of every recursive step.
func TestText(t *testing.T) {
	predict := func(n int64) int64 { return n / 10 }
	all := []Prediction{
		{Run: "a", Tunable: "m", Sizes: 5, K: 1, LeftOut: 2, Accuracy: 0.9, Deviation: 0.05, Least: 0.5, Most: 1, Null: 0.4, Predicted: []int64{100}, Predict: predict},
		{Run: "b", Tunable: "R", Sizes: 4, K: 1, LeftOut: 1, Accuracy: 1, Least: 1, Most: 1, Null: 0.25, Predicted: []int64{1}},
	}
	const table = `RUN  TUNABLE  SIZES  K  LEFT OUT  ACCURACY     RANGE      NULL ACCURACY
a    m        5      1  2         0.90 ± 0.05  0.50–1.00  0.40
b    R        4      1  1         1.00 ± 0.00  1.00–1.00  0.25
Accuracy is the mean, its standard deviation and its range over 500 random choices of what is left out.
`
	q := Question{Choice: Choice{Parameter: "N"}}
	if got := q.Text(all); got != table {
		t.Errorf("%q", got)
	}
	q.Sizes = []int64{1000}
	want := table + `
N     m by a  R by b  sizes m, m1, … for R steps
1000  100     1       [100 2]
`
	if got := q.Text(all); got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
	if got := q.Text(all[1:]); got == want || len(got) == 0 {
		t.Errorf("R alone has no recursive steps: %s", got)
	}
}

func TestNewTraining(t *testing.T) {
	got, err := NewTraining(record.Read, nil, []string{"v"}, []string{"N=64", "kind=a=b"})
	if err != nil || got.Where["N"] != "64" || got.Where["kind"] != "a=b" || len(got.Versions) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := NewTraining(record.Read, nil, nil, []string{"N"}); err == nil || err.Error() != `--where "N" is not NAME=VALUE` {
		t.Error(err)
	}
	if _, err := NewTraining(record.Read, []string{t.TempDir()}, nil, nil); err == nil {
		t.Error("a folder without a run")
	}
}
