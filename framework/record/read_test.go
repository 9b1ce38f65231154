package record

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// manyRows writes a run of more rows than are written, or read, at once.
func manyRows(t *testing.T) (dir string, r *Run) {
	t.Helper()
	var results []Result
	for id := range batchRows + 2*blockRows + 7 {
		results = append(results, testResult(id))
	}
	dir, r = t.TempDir(), NewRun(Info{}, "fft", nil, results)
	if err := Write(dir, r); err != nil {
		t.Fatal(err)
	}
	return dir, r
}

func TestManyRowsAreReadBack(t *testing.T) {
	dir, want := manyRows(t)
	got, err := Read(dir)
	if err != nil || len(got.Rows) != len(want.Rows) {
		t.Fatalf("%d rows, %v", len(got.Rows), err)
	}
	for i := range got.Rows {
		if a, b := got.Rows[i], want.Rows[i]; a.Key != b.Key || a.Outcome != b.Outcome || a.Time != b.Time || a.Verification != b.Verification ||
			!reflect.DeepEqual(a.Params.Values(), b.Params.Values()) {
			t.Fatalf("row %d: %+v\nwant %+v", i, a, b)
		}
	}
	samples, err := ReadSamples(dir, got)
	if err != nil || !slices.Equal(samples.List(), eachOf(want.Results, Result.samples)) {
		t.Errorf("%d samples, %v", len(samples.List()), err)
	}
}

// TestFirstBadRowIsNamed: of several bad cells the first row's is, whichever section it is
// of; a number is decimal.
func TestFirstBadRowIsNamed(t *testing.T) {
	dir, run := manyRows(t)
	path := filepath.Join(dir, "fft_time.csv")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	type cell struct {
		row          int
		column, text string
	}
	for _, c := range []struct {
		cells []cell
		want  string // of the error; empty: none
	}{
		{[]cell{{301, "time_s", "x"}, {300, "elapsed_s", "y"}}, `line 302: column elapsed_s: want a number or nothing, got "y"`},
		{[]cell{{301, "time_s", "x"}, {301, "elapsed_s", "y"}}, `line 303: column time_s: want a number or nothing, got "x"`},
		{[]cell{{301, "elapsed_s", "x"}, {300, "time_max_s", "-1"}}, `line 302: a time `},
		{[]cell{{301, "version", ""}, {300, "elapsed_s", "y"}}, `line 302: column elapsed_s`},
		{[]cell{{300, "version", ""}, {301, "elapsed_s", "y"}}, `line 302: column version is empty`},
		{[]cell{{0, "point", "x"}}, `line 2: column point: "x" is no whole number`},
		{[]cell{{0, "point", "0.5"}}, `line 2: column point: "0.5" is no whole number`},
		{[]cell{{8, "point", "08"}, {10, "point", "010"}}, ""},
		{[]cell{{9, "status", "good"}}, `line 11: column status: status is "good", want ok, `},
		{[]cell{{9, "processor", "TPU"}}, `line 11: column processor: processor is "TPU", want CPU or GPU`},
	} {
		rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range c.cells {
			rows[1+x.row][slices.Index(rows[0], x.column)] = x.text
		}
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := csv.NewWriter(f).WriteAll(rows); err != nil {
			t.Fatal(err)
		}
		f.Close()
		got, err := Read(dir)
		switch {
		case c.want == "" && (err != nil || len(got.Rows) != len(run.Rows) || got.Rows[8].Point != 8 || got.Rows[10].Point != 10):
			t.Errorf("%v: %v", c.cells, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), dir+": fft_time.csv: "+c.want)):
			t.Errorf("%v: %v, want %s", c.cells, err, c.want)
		}
	}
}
