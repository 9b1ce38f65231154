package compare

import (
	"math"
	"strings"
	"testing"

	"example.org/bench/framework/record"
)

// TestExecutedMetrics: at 2048 rows of bicubic interpolation v2 executes more a second and a joule than v1, and
// accesses less (results/literature/embedded.md); each ratio and interval follows from that of times, energies
// and counts. Without being named they are not compared.
func TestExecutedMetrics(t *testing.T) {
	runs, err := ReadRuns([]string{"../../results/h200-bicubic-literature.zip"})
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(runs, Options{By: ByVersion, Baseline: "v1", Metrics: []string{"time", "energy", "executed_rate", "accessed_rate", "executed_efficiency", "accessed_efficiency"}})
	if err != nil {
		t.Fatal(err)
	}
	point := -1
	for i, p := range c.Points {
		if strings.Join(p.Factors, " ") == "2048 hermite" {
			point = i
		}
	}
	if point < 0 {
		t.Fatalf("no point of 2048 rows by Hermite in %v", c.Points)
	}
	find := func(metric, level string) Cell {
		for _, table := range c.Tables {
			for _, x := range table.Cells {
				if table.Metric.Name == metric && x.Level == level && x.Point == point {
					return x
				}
			}
		}
		t.Fatalf("no %s of %s", metric, level)
		return Cell{}
	}
	near := func(what string, got, want, share float64) {
		t.Helper()
		if math.Abs(got/want-1) > share {
			t.Errorf("%s: %.5g, want %.5g", what, got, want)
		}
	}
	near("v1 executes", find("executed_rate", "v1").Value, 6.8663e12, 1e-3)
	near("v2 executes", find("executed_rate", "v2").Value, 14.1124e12, 1e-3)
	near("v1 executes per joule", find("executed_efficiency", "v1").Value, 14.5755e9, 1e-3)
	near("v2 executes per joule", find("executed_efficiency", "v2").Value, 20.2631e9, 1e-3)
	near("v2 accesses per joule", find("accessed_efficiency", "v2").Value, 3.15537e9, 1e-3)
	time, rate, accessed := find("time", "v2").Ratio, find("executed_rate", "v2").Ratio, find("accessed_rate", "v2").Ratio
	if rate.Verdict != Better || accessed.Verdict != Worse || time.Verdict != Better {
		t.Errorf("verdicts %s, %s, %s; want better, worse, better", rate.Verdict, accessed.Verdict, time.Verdict)
	}
	counts := rate.Value * time.Value // of v2 by v1
	near("low end", *rate.Low, counts / *time.High, 1e-3)
	near("high end", *rate.High, counts / *time.Low, 1e-3)
	times := []float64{4, 1, 2, 5, 8, 3, 2.5, 7, 6, 3.5}
	var rates []float64
	for _, x := range times {
		rates = append(rates, 100/x)
	}
	got, want := fromSamples(times).inverse(record.Measured(100)), fromSamples(rates)
	near("median of the rates", got.Value, 100/3.75, 1e-12) // the count by the median time
	near("lower end", *got.Low, *want.Low, 1e-12)
	near("upper end", *got.High, *want.High, 1e-12)
	for i := range want.sorted {
		near("samples in order", got.sorted[i], want.sorted[i], 1e-12)
	}
	all, err := New(runs, Options{By: ByVersion})
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range all.Tables {
		for _, m := range executedMetrics() {
			if table.Metric.Name == m.Name {
				t.Errorf("%s is compared without being named", m.Name)
			}
		}
	}
}
