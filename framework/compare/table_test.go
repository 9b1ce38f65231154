package compare

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework/record"
)

func TestUnpairedNamesFourPoints(t *testing.T) {
	for n, want := range map[int]string{
		0: "b is not there", 1: "b is not there at N 1", 4: "b is not there at N 1; N 2; N 3; N 4",
		5: "b is not there at N 1; N 2; N 3; N 4 and 1 more", 9: "b is not there at N 1; N 2; N 3; N 4 and 5 more",
	} {
		points := []string{"N 1", "N 2", "N 3", "N 4", "N 5", "N 6", "N 7", "N 8", "N 9"}[:n]
		if got := (Unpaired{Level: "b", Why: "is not there", Points: points}).String(); got != want {
			t.Errorf("%d points: %q, want %q", n, got, want)
		}
	}
}

// TestWhatWasNotMeasured: a metric that one level lacks at a point is said, and
// one that is asked for and has no pair at all.
func TestWhatWasNotMeasured(t *testing.T) {
	x := noises[0].make(rand.New(rand.NewPCG(1, 1)), 50, 1e-3)
	spots := func(energies ...float64) (all []spot) {
		for i, e := range energies {
			all = append(all, spot{version: "v", n: int64(i), samples: x, energy: e})
		}
		return all
	}
	both, some := synthetic("a", spots(1, 2, 0)), synthetic("b", spots(1, 0, 3))
	c := compared(t, []Run{both, some}, Options{By: ByRun})
	if !has(c.Notes, "energy was not measured at every point of a, b") || has(c.Notes, "time") {
		t.Errorf("notes %q", c.Notes)
	}
	energy := c.Tables[slices.IndexFunc(c.Tables, func(t Table) bool { return t.Metric.Name == "energy" })]
	ratios := 0
	for _, cell := range energy.Cells {
		if cell.Ratio != nil {
			ratios++
		}
	}
	if len(energy.Cells) != 4 || ratios != 1 || energy.Means != nil {
		t.Errorf("%d cells, %d ratios, means %v; want 4, 1 and none of a single ratio", len(energy.Cells), ratios, energy.Means)
	}
	for i, p := range c.Points {
		if (p.Front != nil) != (i == 0) {
			t.Errorf("front %v of point %d, where a level has no energy", p.Front, i)
		}
	}
	// Not asked for, it is not missed.
	without := []Run{synthetic("a", spots(0, 0)), synthetic("b", spots(0, 0))}
	if c := compared(t, without, Options{By: ByRun}); len(c.Tables) != 1 || len(c.Notes) != 0 {
		t.Errorf("%d tables, notes %q", len(c.Tables), c.Notes)
	}
	if c := compared(t, without, Options{By: ByRun, Metrics: []string{"time", "energy"}}); !has(c.Notes, "no energy at two levels of any point") {
		t.Errorf("notes %q", c.Notes)
	}
	if c := compared(t, []Run{both, both.named("b")}, Options{By: ByRun, Metrics: []string{"energy"}}); len(c.Tables) != 1 || c.Tables[0].Metric.Name != "energy" {
		t.Errorf("tables %+v, want that of the energy alone", c.Tables)
	}
	if _, err := New(without, Options{By: ByRun, Metrics: []string{"speed"}}); err == nil || !contains(err.Error(), `"speed" is none of time, power`) {
		t.Errorf("an unknown metric: %v", err)
	}
}

// named is the same run under another name.
func (r Run) named(name string) Run {
	r.Name = name
	return r
}

// TestUnits: values are in base units, and their intervals those of the energy.
func TestUnits(t *testing.T) {
	runs := []Run{synthetic("a", []spot{{version: "v", n: 1, energy: 2, uncertainty: 0.2}}), synthetic("b", []spot{{version: "v", n: 1, energy: 4, uncertainty: 0.2}})}
	c := compared(t, runs, Options{By: ByRun})
	for metric, want := range map[string][3]float64{"energy": {2, 1.8, 2.2}, "power": {2000, 1800, 2200}, "efficiency": {0.5e9, 0.45e9, 0.55e9}} {
		cell, err := cellOf(c, metric, "", "a")
		if err != nil {
			t.Fatal(err)
		}
		low, high := bounds(cell.Estimate)
		for i, got := range []float64{cell.Value, low, high} {
			if d := got/want[i] - 1; d > 1e-9 || d < -1e-9 {
				t.Errorf("%s: %v (%v to %v), want %v", metric, cell.Value, low, high, want)
			}
		}
	}
}

// TestRelativeTimes of two publications are in units of their own.
func TestRelativeTimes(t *testing.T) {
	x := noises[0].make(rand.New(rand.NewPCG(1, 1)), 50, 2)
	run := func(name, to string) Run {
		r := synthetic(name, []spot{{version: "v", n: 1, samples: x, energy: 1}, {version: "w", n: 1, samples: x, energy: 1}})
		r.Info.RelativeTo = to
		return r
	}
	c := compared(t, []Run{run("a", "cufft")}, Options{By: ByVersion})
	for _, table := range c.Tables {
		if relative := table.Metric.Title == "time of one run relative to cufft" && table.Metric.Unit == ""; relative != (table.Metric.Name == "time") {
			t.Errorf("%s: title %q, unit %q", table.Metric.Name, table.Metric.Title, table.Metric.Unit)
		}
	}
	for _, runs := range [][]Run{{run("a", "cufft"), run("b", "")}, {run("a", ""), run("b", "fftw")}} {
		if c, err := New(runs, Options{By: ByRun}); err == nil || !contains(err.Error(), "no point that has a partner") {
			t.Errorf("relative to %q and %q: %+v, %v", runs[0].Info.RelativeTo, runs[1].Info.RelativeTo, c, err)
		}
	}
	if c := compared(t, []Run{run("a", ""), run("b", "")}, Options{By: ByRun}); c.Tables[0].Metric.Title != "time of one run" {
		t.Errorf("title %q of times in seconds", c.Tables[0].Metric.Title)
	}
}

// TestTimesWithoutSamples have the interval that the table of results gives, and
// a sample of no time is none.
func TestTimesWithoutSamples(t *testing.T) {
	x := noises[0].make(rand.New(rand.NewPCG(1, 1)), 50, 1e-3)
	a, b := synthetic("a", []spot{{version: "v", n: 1, samples: x}}), synthetic("b", []spot{{version: "v", n: 1, samples: x}})
	a.Samples = nil
	b.Samples = record.SamplesOf(append(b.Samples.List(), record.Sample{Point: 0, Version: "v", Mode: "hot", Time: 0}))
	c := compared(t, []Run{a, b}, Options{By: ByRun})
	for level, samples := range map[string]int{"a": 0, "b": 50} {
		if cell, err := cellOf(c, "time", "", level); err != nil || cell.Samples != samples || cell.Low == nil || cell.Value < 0.9e-3 {
			t.Errorf("%s: %+v, %v; want %d samples and an interval", level, cell, err, samples)
		}
	}
}

// TestFactors: by version the run tells points apart where there are several.
func TestFactors(t *testing.T) {
	x := noises[0].make(rand.New(rand.NewPCG(1, 1)), 50, 1e-3)
	run := synthetic("a", []spot{{version: "v", n: 1, samples: x}, {version: "w", n: 1, samples: x}})
	for want, runs := range map[string][]Run{"": {run}, "run": {run, run.named("b")}} {
		c := compared(t, runs, Options{By: ByVersion})
		constant := slices.ContainsFunc(c.Constant, func(f Factor) bool { return f.Name == "run" })
		if got := strings.Join(c.Factors, " "); got != want || constant || len(c.Notes) != 0 {
			t.Errorf("%d runs: factors %q, constant %v, notes %q", len(runs), got, c.Constant, c.Notes)
		}
	}
}
