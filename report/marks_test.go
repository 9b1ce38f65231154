package report

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/compare"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// toy is a run over sizes of a version whose points are as status says; a doubtful one has
// a wide interval.
func toy(t *testing.T, leftOut string, status ...record.Status) *Section {
	t.Helper()
	const doubtful = "doubtful"
	var results []record.Result
	for i, st := range status {
		n := int64(1024) << i
		spread := 0.001
		if st == doubtful {
			st, spread = record.OK, 0.5
		}
		r := record.Result{Status: st, Work: framework.Work{NominalFLOPs: n, NominalBytes: n},
			Point: plan.Point{ID: i, Algorithm: "toy", Version: "v", Processor: framework.CPU, Device: "cpu", Params: framework.Values{"N": framework.IntValue(n)}, ParamOrder: []string{"N"}}}
		if st == record.OK {
			r.Hot = &measure.Series{Batch: 1, Converged: true, Stop: "median known"}
			for k := range 20 {
				r.Hot.Samples = append(r.Hot.Samples, 1e-9*float64(n)*(1+spread*math.Sin(float64(k))))
			}
		}
		results = append(results, r)
	}
	info := record.Info{Tool: record.ThisTool(), Config: record.ConfigFile{Path: "toy.json", Text: "{}"}}
	info.Devices = []record.Device{{ID: "cpu", Ceilings: record.Ceilings{Copy: 1e9, FMA: 1e10}}}
	if leftOut != "" {
		info.LeftOut = []string{leftOut}
	}
	dir := t.TempDir()
	if err := record.Write(dir, record.NewRun(info, "toy", []plan.Axis{{Name: "N", Geometric: true}}, results)); err != nil {
		t.Fatal(err)
	}
	d, err := Read([]string{dir}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	d.drawAxes()
	return &d.Sections[0]
}

// A line has a gap where a point has no value, and a mark where it failed; what is known
// badly is hollow in every figure, as in the files that bench plot draws.
func TestFailedAndDoubtfulPoints(t *testing.T) {
	s := toy(t, "", record.OK, record.Failed, record.OK, "doubtful", record.Skipped, record.Timeout, record.OK)
	seen := 0
	for _, f := range s.Figures {
		v := f.Series[0]
		switch f.Title {
		case "time of one run", "rate of operations", "throughput":
			seen++
			var gaps []int
			for i, y := range v.Y {
				if math.IsNaN(y) {
					gaps = append(gaps, i)
				}
			}
			if len(v.X) != 7 || !slices.Equal(gaps, []int{1, 4, 5}) || !slices.Equal(v.Failed, []int{1, 5}) || v.Label[5] != "timeout" || !strings.Contains(f.Note, crosses) {
				t.Errorf("%s: gaps %v, failed %v, %q", f.Title, gaps, v.Failed, v.Label)
			}
			if !slices.Equal(v.Doubtful, []int{3}) || !strings.Contains(f.Note, "Hollow marks") {
				t.Errorf("%s: hollow %v, %s", f.Title, v.Doubtful, f.Note)
			}
			if got := f.X.Drawn.Texts; !slices.Equal(got, []string{"1Ki", "2Ki", "4Ki", "8Ki", "16Ki", "32Ki", "64Ki"}) {
				t.Errorf("%s: ticks %q", f.Title, got)
			}
		case "roofline":
			seen++
			if len(v.X) != 4 || !slices.Equal(v.Doubtful, []int{2}) {
				t.Errorf("roofline: %d points, hollow %v", len(v.X), v.Doubtful)
			}
		}
	}
	if seen != 4 {
		t.Errorf("%d figures", seen)
	}
	if !s.Failed || toy(t, "", record.OK, record.Skipped).Failed {
		t.Error("a verdict is marked where points failed, and only there")
	}
}

// The sentences of a verdict say each thing once, and have no range without extent.
func TestVerdictSentences(t *testing.T) {
	s := toy(t, "GPU versions stockham, cufft left out: processor is CPU", record.OK)
	all := strings.Join(s.Verdict, "\n")
	if !strings.Contains(all, "GPU versions stockham, cufft left out: processor is CPU.") || strings.Count(strings.ToLower(all), "left out") != 1 {
		t.Errorf("%s", all)
	}
	run := &record.Run{Rows: make([]record.Row, 4)}
	for i := range run.Rows {
		run.Rows[i].Time.Median = record.Measured(10.75e-6)
	}
	if got := said(compare.OfRun(compare.Run{Run: run})); len(got) != 1 || !strings.HasPrefix(got[0], "4 points take 10.75 µs, ") {
		t.Errorf("%q", got)
	}
}

// The table of ratios has the values that they are ratios to.
func TestBaselineRow(t *testing.T) {
	c := &compare.Comparison{By: compare.ByVersion, Levels: []string{"a", "b"}, Factors: []string{"N"}, Points: []compare.Point{{Factors: []string{"64"}, Baseline: "a"}}}
	table := compare.Table{Metric: compare.Metric{Name: "time", Unit: "s"}, Cells: []compare.Cell{{Level: "a"}, {Level: "b", Ratio: &compare.Ratio{Value: 2}}}}
	table.Cells[0].Value, table.Cells[1].Value = 7.55e-3, 15.1e-3
	got := ratioTable(c, table, ratiosOf(c, table))
	if len(got.Rows) != 2 || !slices.Contains(got.Rows[1], "7.550 ms") || !slices.Contains(got.Rows[1], "baseline") {
		t.Errorf("%q", got.Rows)
	}
}

// An interval has two ends: a file of a comparison with one is refused.
func TestOneEndOfAnInterval(t *testing.T) {
	for name, cell := range map[string]string{
		"point 0 has one end": `{"point": 0, "level": "b", "value": 1, "ratio": {"value": 2, "low": 1.5}}`,
		"point 0 has":         `{"point": 0, "level": "b", "value": 1, "high": 2}`,
	} {
		path := filepath.Join(t.TempDir(), "c.json")
		text := `{"by": "run", "levels": ["a", "b"], "points": [{"factors": [], "baseline": "a"}], "tables": [{"metric": {"name": "time"}, "cells": [` + cell + `]}]}`
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := compare.ReadFile(path); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %q", err, name)
		}
	}
}
