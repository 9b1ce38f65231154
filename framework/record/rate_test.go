package record

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
)

// rateResult is a point at a rate.
func rateResult(id int, hz framework.Value, p999 float64) Result {
	r := testResult(id)
	r.Hot = nil
	r.Point.Params["rate_hz"], r.Point.Params["wait"] = hz, framework.TextValue("sleep")
	r.Point.ParamOrder = append(r.Point.ParamOrder, "rate_hz", "wait")
	r.Point.Usage = []string{"rate_hz", "wait"}
	high := p999 * 1.5
	r.Rate = &measure.Released{
		Rate: 1000, Deadline: 1e-3, Releases: 2000, Misses: 3, MissLow: 0.0003, MissHigh: 0.0044,
		Latency: []measure.Percentile{{Share: 0.5, Value: 1e-4, Low: 0.9e-4, High: &high}, {Share: 0.9, Value: 2e-4}, {Share: 0.99, Value: 3e-4}, {Share: 0.999, Value: p999, Low: p999 / 2, High: &high}},
		Wakeup:  []measure.Percentile{{Share: 0.5, Value: 5e-6}, {Share: 0.9, Value: 6e-6}, {Share: 0.99, Value: 7e-6}, {Share: 0.999, Value: 8e-6}},
		Worst:   6e-3, Mean: 1.1e-4, WorstWakeup: 9e-6, Waited: 1990, Utilisation: 0.25, Throughput: 1000,
		Force:     measure.Force{Scheduler: "other", Slack: 50e-6, Lacking: []string{"SCHED_FIFO: operation not permitted"}},
		Before:    map[string]float64{"GPU": 3e8},
		After:     map[string]float64{"GPU": 9e8},
		Histogram: []measure.Bin{{Value: 1e-4, Count: 1500}, {Value: 6e-3, Count: 500}},
	}
	return r
}

// TestRatesAreKept in the rows, the CSVs and the table; a run without them has no such
// file, and rewriting one removes it.
func TestRatesAreKept(t *testing.T) {
	found := rateResult(1, framework.TextValue("max"), 4e-3)
	found.Rate.Highest = &measure.Highest{Low: 1000, High: 1020, Trials: 9}
	run := NewRun(Info{}, "p", nil, []Result{rateResult(0, framework.FloatValue(1000), 5e-3), found, testResult(2)})
	dir := t.TempDir()
	if err := Write(dir, run); err != nil {
		t.Fatal(err)
	}
	back, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range run.Rows {
		if !reflect.DeepEqual(run.Rows[i].Rate, back.Rows[i].Rate) || !reflect.DeepEqual(run.Rows[i].ClocksAfter, back.Rows[i].ClocksAfter) {
			t.Errorf("row %d is read back as\n%+v\nwas\n%+v", i, back.Rows[i].Rate, run.Rows[i].Rate)
		}
	}
	a, b := run.Rows[0].Rate, run.Rows[1].Rate
	if a.Get().P999 != Measured(5e-3) || a.Get().P999High != Measured(7.5e-3) || a.Get().P90High.IsSet() || a.Get().Trials.IsSet() || a.Get().MissShare != Measured(0.0015) || a.Get().Lacking == "" || run.Rows[2].Rate.Get().IsSet() {
		t.Errorf("%+v", a)
	}
	if b.Get().Low != Measured(1000) || b.Get().High != Measured(1020) || b.Get().Trials.Int() != 9 {
		t.Errorf("%+v", b)
	}
	if back.Rows[0].ClocksBefore["GPU"] != 3e8 || back.Rows[0].Params.Get("rate_hz").String() != "1000" {
		t.Errorf("%+v", back.Rows[0])
	}
	bins, err := ReadLatencies(dir, back)
	if err != nil || len(bins) != 4 || bins[3] != (Latency{1, 0, bins[0].Version, 6e-3, 500}) {
		t.Errorf("%+v, %v", bins, err)
	}
	table := Table(run, false, 0)
	for _, want := range []string{"p99.9", "4.0 ms", "0.1 %", "25 %", "1.000 kHz"} {
		if !strings.Contains(table, want) {
			t.Errorf("no %s in\n%s", want, table)
		}
	}
	if err := Write(dir, NewRun(Info{}, "p", nil, []Result{testResult(0)})); err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{rateCSV, latencyCSV} {
		if _, err := os.Stat(filepath.Join(dir, "p_"+f)); err == nil {
			t.Errorf("%s is of another run", f)
		}
	}
}

// TestRateOfInstances: percentiles are the geometric means of the instances', with
// Student's interval, and counts are sums.
func TestRateOfInstances(t *testing.T) {
	list := []Result{rateResult(0, framework.FloatValue(1000), 2e-3), rateResult(0, framework.FloatValue(1000), 8e-3)}
	list[1].Point.Instance, list[1].Rate.Worst = 1, 9e-3
	r := NewRun(Info{}, "p", nil, list).Rows[0].Rate
	if p := r.Get().P999.Float(); p < 3.99e-3 || p > 4.01e-3 || !(r.Get().P999Low.Float() < 2e-3) || !(r.Get().P999High.Float() > 8e-3) {
		t.Errorf("%v, %v to %v", p, r.Get().P999Low, r.Get().P999High)
	}
	if r.Get().Releases.Int() != 4000 || r.Get().Misses.Int() != 6 || r.Get().Worst != Measured(9e-3) || r.Get().Instances.Int() != 2 {
		t.Errorf("%+v", r)
	}
}
