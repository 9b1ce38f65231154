package record

import (
	"math"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/stats"
)

// instance is a result of point id whose samples are around seconds.
func instance(id, number int, seconds float64) Result {
	s := &measure.Series{Batch: 1, Converged: number != 1, Stop: []string{"known", "drift"}[number%2], Dropped: number}
	for i := range 20 {
		s.Samples = append(s.Samples, seconds*(1+1e-3*float64(i%5)))
	}
	return Result{Point: plan.Point{ID: id, Instance: number, Algorithm: "fft", Version: "v", Processor: framework.CPU, Device: "cpu"}, Status: OK, Hot: s, Elapsed: 2,
		Verification: framework.FastVerification, Phases: map[string]float64{PreparePhase: 0.25, VerifyPhase: 0.5, "time": 1},
		Checks: []framework.Check{{Metric: "error", Error: float64(number), Bound: 10}}}
}

// TestInstancesAreOneRow: the time is the geometric mean of the instances' medians,
// its interval Student's over them; all samples are kept, with their instance.
func TestInstancesAreOneRow(t *testing.T) {
	results := []Result{instance(0, 0, 1), instance(1, 0, 5), instance(0, 1, 1.1), instance(0, 2, 0.9)}
	r := NewRun(Info{}, "p", nil, results)
	if len(r.Rows) != 2 || len(r.Results) != 4 {
		t.Fatalf("%d rows of %d results", len(r.Rows), len(r.Results))
	}
	mean, low, high := stats.Instances([]float64{1 * 1.002, 1.1 * 1.002, 0.9 * 1.002}, 0.95)
	w := r.Rows[0]
	near := func(x Number, want float64) bool { return math.Abs(x.Float()-want) < 1e-12 }
	if !near(w.Time.Median, mean) || !near(w.Time.Low, low) || !near(w.Time.High, high) || w.Time.Instances.Int() != 3 || w.Time.Samples.Int() != 60 {
		t.Errorf("%+v, want %v (%v to %v)", w.Time, mean, low, high)
	}
	if w.Time.Converged != "false" || w.Time.Stop != "drift" || w.Time.Dropped.Int() != 3 || w.Elapsed.Float() != 6 || w.How != "fast" || w.Beside.Float() != 3 || w.Check.Float() != 1.5 || w.Error.Float() != 2 {
		t.Errorf("%+v, %+v", w.Time, w.Verification)
	}
	if one := r.Rows[1].Time; one.Instances.Int() != 1 || !near(one.Median, 5*1.002) {
		t.Errorf("%+v", one)
	}
	dir := t.TempDir()
	if err := Write(dir, r); err != nil {
		t.Fatal(err)
	}
	back, err := Read(dir)
	if err != nil || back.instances() != 4 {
		t.Fatalf("%v", err)
	}
	read, err := ReadSamples(dir, back)
	samples := read.List()
	if err != nil || len(samples) != 80 || samples[20].Instance != 1 || samples[59].Instance != 2 || samples[60].Point != 1 {
		t.Errorf("%d samples, %v", len(samples), err)
	}
	table := Table(back, false, 0)
	if !strings.Contains(table, "instances") {
		t.Errorf("\n%s", table)
	}
	if table := Table(NewRun(Info{}, "p", nil, []Result{results[0], results[2]}), false, 0); !strings.HasPrefix(table, "fft, device cpu, 2 instances\n") {
		t.Errorf("\n%s", table)
	}
}

// TestABrokenInstance: a point is as its first instance that is not ok.
func TestABrokenInstance(t *testing.T) {
	results := []Result{instance(0, 0, 1), instance(0, 1, 1), instance(0, 2, 1)}
	results[1].Status, results[1].Reason, results[1].Hot = Wrong, "error 2 is above 1", nil
	r := NewRun(Info{}, "p", nil, results)
	if w := r.Rows[0]; w.Status != Wrong || w.Reason != "instance 2 of 3: error 2 is above 1" || w.Time.Median.IsSet() {
		t.Errorf("%+v", w)
	}
}
