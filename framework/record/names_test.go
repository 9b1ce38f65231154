package record

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
)

// TestRailsOfOneName are numbered.
func TestRailsOfOneName(t *testing.T) {
	var channels []measure.ChannelEnergy
	for _, name := range []string{"VDD IN", "VDD-IN", "GPU", "VDD_IN"} {
		channels = append(channels, measure.ChannelEnergy{Sensor: "s", Channel: name})
	}
	names := railNames(channels)
	if slices.Sort(names); len(slices.Compact(names)) != 4 {
		t.Errorf("%q", names)
	}
}

// TestRunsOfOneSecond are moved aside by numbers, each to a place of its own.
func TestRunsOfOneSecond(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	written := time.Date(2026, 1, 2, 3, 4, 5, 0, time.Local)
	var moved []string
	for range 4 {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		info := board(1, 64).sessions[0]
		if err := Write(dir, NewRun(info, "p", nil, []Result{testResult(0)})); err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%q, %v", files, err)
		}
		for _, f := range files {
			if err := os.Chtimes(f, written, written); err != nil {
				t.Fatal(err)
			}
		}
		to, err := MoveAside(dir)
		if err != nil {
			t.Fatal(err)
		}
		moved = append(moved, to)
	}
	for i, end := range []string{"", ".2", ".3", ".4"} {
		if want := dir + "-20260102-030405" + end; moved[i] != want {
			t.Errorf("moved to %s, want %s", moved[i], want)
		}
	}
}

// TestDifferencesOfNearNumbers: what only rounding leaves is nothing, at any size.
func TestDifferencesOfNearNumbers(t *testing.T) {
	for _, c := range []struct {
		a, b float64
		zero bool
	}{{1e6, 1e6 + 5e-7, true}, {1e6, 1e6 - 1e-3, false}, {1e-6, 1e-6 - 1e-12, false}, {1e-6, 1e-6 + 1e-20, true}, {-3, -3, true}, {2, 1, false}} {
		if got := Measured(c.a).minus(Measured(c.b)); !got.IsSet() || (got.Float() == 0) != c.zero {
			t.Errorf("%v - %v is %v", c.a, c.b, got)
		}
	}
}

// TestIntervalsOfPercentiles are those that a series has; 0 is none.
func TestIntervalsOfPercentiles(t *testing.T) {
	r := NewRun(Info{}, "p", nil, []Result{rateResult(0, framework.FloatValue(1000), 4e-3)}).Rows[0].Rate
	if r.Get().P50Low != Measured(0.9e-4) || r.Get().P90Low.IsSet() || r.Get().P99Low.IsSet() || r.Get().P999Low != Measured(2e-3) || r.Get().P90 != Measured(2e-4) {
		t.Errorf("%+v", r)
	}
}

// TestGoodFilesAreKept: of one point in two published runs the good result counts, though
// the other came later.
func TestGoodFilesAreKept(t *testing.T) {
	dir := t.TempDir()
	var dirs []string
	for i, status := range []Status{OK, Failed} {
		r := testResult(0)
		r.Status = status
		info := board(1, 64).sessions[0]
		info.Ended = info.Started.AddDate(0, 0, 1+i)
		path := filepath.Join(dir, string(status))
		if err := os.Mkdir(path, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := Write(path, NewRun(info, "fft", []plan.Axis{{Name: "N", Count: 1}}, []Result{r})); err != nil {
			t.Fatal(err)
		}
		dirs = append(dirs, path)
	}
	for range 2 {
		slices.Reverse(dirs)
		out := filepath.Join(t.TempDir(), "merged")
		m, err := Merge([]Part{{"m", dirs[0]}, {"m", dirs[1]}}, out, MergeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		m.Folder.Close()
		run, err := Read(out)
		if err != nil || len(run.Rows) != 1 || run.Rows[0].Status != OK {
			t.Errorf("%v: %+v, %v", dirs, run.Rows, err)
		}
	}
}

// TestSamplesOfVersions keep their names, which may need quotation marks.
func TestSamplesOfVersions(t *testing.T) {
	j := board(1, 64, 128)
	j.results[0][1].Point.Version = `other, "new"`
	out, _ := merged(t, MergeOptions{}, j.write(t, filepath.Join(t.TempDir(), "a")))
	run, err := Read(out)
	if err != nil {
		t.Fatal(err)
	}
	read, err := ReadSamples(out, run)
	samples := read.List()
	versions := map[string]int{}
	for _, s := range samples {
		if versions[s.Version]++; math.IsNaN(s.Time) {
			t.Errorf("%+v", s)
		}
	}
	if err != nil || len(versions) != 2 || versions["stockham"] != 3 || versions[`other, "new"`] != 3 {
		t.Errorf("%v, %v", versions, err)
	}
}
