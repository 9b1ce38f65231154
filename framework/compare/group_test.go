package compare

import (
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
)

// bothProcessors is a run whose GPU versions compute larger batches than its CPU versions, as the FFT's do by default.
func bothProcessors() Run {
	r := &record.Run{Columns: record.Columns{Params: []record.Column{{Name: "N", Column: "N", Kind: framework.Int.String()}, {Name: "batch", Column: "batch", Kind: framework.Int.String()}}}}
	add := func(version string, p framework.Processor, n, batch int64, seconds float64) {
		w := record.Row{Key: record.Key{Algorithm: "fft", Version: version, Processor: p, Device: map[framework.Processor]string{framework.CPU: "cpu", framework.GPU: "cuda:0"}[p]},
			Outcome: record.Outcome{Status: record.OK, Point: len(r.Rows)}}
		w.Params = w.Params.With("N", framework.IntValue(n)).With("batch", framework.IntValue(batch))
		w.Time.Median = record.Measured(seconds)
		r.Rows = append(r.Rows, w)
	}
	for _, n := range []int64{64, 128} {
		add("own", framework.CPU, n, 1, 2)
		add("fftw", framework.CPU, n, 1, 1)
		add("own", framework.GPU, n, 1000, 0.5)
		add("cufft", framework.GPU, n, 1000, 0.8)
	}
	return Run{Name: "r", Run: r}
}

// TestGroups: versions that share no problem have a baseline for each group, none is without a partner, and a finding
// says of each who leads, a GPU's first.
func TestGroups(t *testing.T) {
	c, err := New([]Run{bothProcessors()}, Options{By: ByVersion, Metrics: []string{"time"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := c.baselines(); len(c.Points) != 4 || len(c.Unpaired) > 0 || !slices.Equal(got, []string{"own (CPU)", "own (GPU)"}) {
		t.Errorf("%d points, baselines %q, without partner %v", len(c.Points), got, c.Unpaired)
	}
	text := c.Short(false, 0)
	for _, part := range []string{"its ratio to that of own (CPU), lower is better, batch 1\n", "its ratio to that of own (GPU), lower is better, batch 1000\n"} {
		if !strings.Contains(text, part) {
			t.Errorf("there is no matrix %q in\n%s", part, text)
		}
	}
	c, err = New([]Run{bothProcessors()}, Options{By: ByVersion, Metrics: []string{"time"}, Baseline: "cufft"})
	if err != nil || !slices.Equal(c.baselines(), []string{"own (CPU)", "cufft"}) {
		t.Errorf("with cufft as baseline they are %q, %v", c.baselines(), err)
	}
	c, err = OfVersions(bothProcessors())
	if err != nil || !slices.Equal(c.Leaders(), []string{"own (GPU)", "fftw"}) {
		t.Fatalf("%v, %v lead", err, c.Leaders())
	}
	gpu, cpu, both := strings.Cut(OfRun(bothProcessors()).Text, ". ")
	if !both || !strings.Contains(gpu, "cufft") || strings.Contains(gpu, "fftw:") || !strings.Contains(cpu, "own (CPU)") || strings.Contains(cpu, "cufft") {
		t.Errorf("the finding is %q", OfRun(bothProcessors()).Text)
	}
}

// TestLoneVersion: a version without a partner is said to be without one, and is no group.
func TestLoneVersion(t *testing.T) {
	run := bothProcessors()
	run.Rows = slices.DeleteFunc(run.Rows, func(w record.Row) bool { return w.Version == "cufft" })
	c, err := New([]Run{run}, Options{By: ByVersion, Metrics: []string{"time"}})
	if err != nil || len(c.Points) != 2 || !slices.ContainsFunc(c.Unpaired, func(a Unpaired) bool { return a.Level == "own (GPU)" }) {
		t.Errorf("%v, %+v", err, c)
	}
}
