package literature

import (
	"bytes"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/framework/compare"
	"example.org/bench/framework/record"
)

var update = flag.Bool("update", false, "write results/literature anew")

const results = "../../results/literature"

// TestFolders checks that each published run lies in its folder as written,
// and that no other folder is there.
func TestFolders(t *testing.T) {
	want := map[string]bool{}
	for _, p := range all() {
		want[p.folder] = true
		if *update {
			if err := record.Write(filepath.Join(results, p.folder), p.run); err != nil {
				t.Fatal(err)
			}
		}
		dir := t.TempDir()
		if err := record.Write(dir, p.run); err != nil {
			t.Fatal(err)
		}
		files, _ := filepath.Glob(filepath.Join(dir, "*"))
		if len(files) < 7 {
			t.Fatalf("%s: only %d files", p.folder, len(files))
		}
		for _, f := range files {
			kept := filepath.Join(results, p.folder, filepath.Base(f))
			a, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			b, err := os.ReadFile(kept)
			if err != nil {
				t.Fatal(err)
			}
			// Compressed files may differ by the compressor's version.
			if !strings.HasSuffix(f, ".gz") && !bytes.Equal(a, b) {
				t.Errorf("%s is not what the tables say; write it anew with go test ./test/literature -update", kept)
			}
		}
	}
	entries, err := os.ReadDir(results)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && !want[e.Name()] {
			t.Errorf("%s holds %s, which no table here is the source of", results, e.Name())
		}
	}
}

// read reads published folders back as a user's comparison does.
func read(t *testing.T, folders ...string) []compare.Run {
	t.Helper()
	var runs []compare.Run
	for _, f := range folders {
		dir := filepath.Join(results, f)
		r, err := record.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		if r.Info.Source == "" {
			t.Errorf("%s names no source", f)
		}
		samples, err := record.ReadSamples(dir, r)
		if err != nil || len(samples.List()) != 0 {
			t.Fatalf("%s: %d samples, %v", f, len(samples.List()), err)
		}
		runs = append(runs, compare.Run{Name: f, Run: r})
	}
	return runs
}

func cell(t *testing.T, c *compare.Comparison, metric, level string, point int) compare.Cell {
	t.Helper()
	for _, tab := range c.Tables {
		for _, cell := range tab.Cells {
			if tab.Metric.Name == metric && cell.Level == level && cell.Point == point {
				return cell
			}
		}
	}
	t.Fatalf("no %s of %s at point %d", metric, level, point)
	return compare.Cell{}
}

func near(got, want float64) bool { return math.Abs(got-want) <= 1e-12*math.Abs(want) }

// TestPowerModes reprints Table 5. The figures are repeated here as printed, so
// that neither copy can drift.
func TestPowerModes(t *testing.T) {
	c, err := compare.New(read(t, "tx2-mode0", "tx2-mode1", "tx2-mode2", "tx2-mode3", "tx2-mode4"), compare.Options{By: compare.ByPowerMode})
	if err != nil {
		t.Fatal(err)
	}
	for mode, want := range map[string][3]float64{
		"0": {7.55e-3, 11.3, 85.3e-3},
		"1": {9.52e-3, 7.0, 66.6e-3},
		"2": {8.18e-3, 8.8, 72.0e-3},
		"3": {8.14e-3, 9.3, 75.7e-3},
		"4": {8.24e-3, 7.6, 62.6e-3},
	} {
		for i, metric := range []string{"time", "power", "energy"} {
			if got := cell(t, c, metric, mode, 0).Value; !near(got, want[i]) {
				t.Errorf("mode %s: %s %g, want %g", mode, metric, got, want[i])
			}
		}
	}
	if len(c.Points) != 1 {
		t.Fatalf("%d points, want 1", len(c.Points))
	}
	front := c.Points[0].Front
	if got := strings.Join(front, " "); got != "0 3 2 4" { // 1 is slower than 4 and takes more
		t.Errorf("front %s, want 0 3 2 4: mode 0 fastest, mode 4 least energy", got)
	}
	if r := cell(t, c, "energy", "4", 0).Ratio; r == nil || !near(r.Value, 62.6/85.3) || r.Low != nil || r.Verdict != "" {
		t.Errorf("energy of mode 4 by mode 0: %+v, want the plain ratio", r)
	}
	text := c.Text()
	for _, want := range []string{"7.550 ms", "11.30 W", "85.30 mJ", "62.60 mJ", "no samples"} {
		if !strings.Contains(text, want) {
			t.Errorf("the table lacks %q:\n%s", want, text)
		}
	}
}

// TestSpeedUps reprints Table 4.
func TestSpeedUps(t *testing.T) {
	c, err := compare.New(read(t, "tx1-speedup", "tx2-speedup"), compare.Options{By: compare.ByVersion})
	if err != nil {
		t.Fatal(err)
	}
	for version, want := range map[string][2]float64{"v1": {8.8, 4.4}, "v2": {18.2, 9.4}, "v3": {22.2, 11.1}, "v4": {44.2, 23.2}} {
		for board := range want {
			if got := 1 / cell(t, c, "time", version, board).Ratio.Value; !near(got, want[board]) {
				t.Errorf("%s on %s: speed-up %g, want %g", version, c.Points[board].Name(), got, want[board])
			}
		}
	}
	for i, name := range []string{"tx1-speedup", "tx2-speedup"} {
		if c.Points[i].Name() != name || c.Points[i].Baseline != "v0" {
			t.Errorf("point %d is %+v", i, c.Points[i])
		}
	}
}

// TestSpeedUpsAreNoSeconds: times in units of each board's own v0 say nothing
// about one board against the other.
func TestSpeedUpsAreNoSeconds(t *testing.T) {
	_, err := compare.New(read(t, "tx1-speedup", "tx2-speedup"), compare.Options{By: compare.ByDevice})
	if err == nil {
		t.Error("the boards' relative times were compared")
	}
}

// TestBicubic reprints section 6.2.2: v2 takes half of v1's time.
func TestBicubic(t *testing.T) {
	c, err := compare.New(read(t, "tx2-bicubic"), compare.Options{By: compare.ByVersion})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Points) != 2 {
		t.Fatalf("%d points, want a point each for hermite and bspline", len(c.Points))
	}
	for i, p := range c.Points {
		if r := cell(t, c, "time", "v2", i).Ratio; p.Baseline != "v1" || r == nil || !near(r.Value, 0.5) {
			t.Errorf("%s: v2 by %s is %+v, want 0.5 of v1", p.Name(), p.Baseline, r)
		}
	}
}

func TestAverages(t *testing.T) {
	c, err := compare.New(read(t, "tx1-bplg-analytical", "tx1-bplg-ml"), compare.Options{By: compare.ByRun})
	if err != nil {
		t.Fatal(err)
	}
	want := [][2]float64{{670e6, 677e6}, {640e6, 635e6}, {547e6, 545e6}, {668e6, 669e6}, {18.27e6, 18.72e6}, {17.9e6, 17.63e6}, {39e9, 39.09e9}, {57.28e9, 63.37e9}}
	if len(c.Points) != len(want) {
		t.Fatalf("%d points, want %d", len(c.Points), len(want))
	}
	for i, w := range want {
		for j, level := range c.Levels {
			if got := cell(t, c, "rate", level, i).Value; !near(got, w[j]) {
				t.Errorf("%s, %s: %g, want %g", c.Points[i].Name(), level, got, w[j])
			}
		}
	}
}

// TestPartition checks what the publication says of its own Table 1: the
// differences that it prints, and the largest loss.
func TestPartition(t *testing.T) {
	c, err := compare.New(read(t, "rtx2080ti-partition"), compare.Options{By: compare.ByVersion})
	if err != nil {
		t.Fatal(err)
	}
	printed := map[string]float64{"70000": -0.000810, "75000": -0.00719, "100000": -0.000621, "200000": -0.073638,
		"400000": -0.068788, "500000": -0.045666, "800000": -0.182118, "8000000": -0.44834}
	if len(c.Points) != len(printed) {
		t.Fatalf("%d points with both, want %d", len(c.Points), len(printed))
	}
	for i, p := range c.Points {
		a, b := cell(t, c, "time", "partition", i).Value, cell(t, c, "time", "partition_corrected", i).Value
		if want := printed[p.Name()]; math.Abs((a-b)*1e3-want) > 1e-9 {
			t.Errorf("N %s: difference %g ms, the source prints %g", p.Name(), (a-b)*1e3, want)
		}
	}
	a5000, err := record.Read(filepath.Join(results, "rtxa5000-partition"))
	if err != nil {
		t.Fatal(err)
	}
	worst := ""
	for i, w := range a5000.Rows {
		if w.Params.Get("N").Int() != table1[i].n || table3[i].corrected2080 != table1[i].correctedM {
			t.Errorf("Tables 1 and 3 differ in row %d", i)
		}
		if strings.Contains(w.Verification.Notes, "9.44 %") {
			worst = w.Params.Get("N").String()
		}
	}
	if worst != "1000000" {
		t.Errorf("the loss of 9.44 %% is at N %s, want 1000000", worst)
	}
}

// TestPartitionFP32 compares Table 4 with Table 1: where it adds an optimum in
// FP64 that is Table 1's, and where it adds none the two agree, but for the
// rows that it has alone.
func TestPartitionFP32(t *testing.T) {
	f64 := map[int64]int64{}
	for _, row := range table1 {
		f64[row.n] = row.m
	}
	run, err := record.Read(filepath.Join(results, "rtx2080ti-partition-f32"))
	if err != nil {
		t.Fatal(err)
	}
	observed := run.Rows[:len(optimaFP32)]
	if len(observed) != 40 {
		t.Fatalf("%d rows, want 40", len(observed))
	}
	for _, w := range run.Rows[len(observed):] {
		if w.Version != "partition_corrected" {
			t.Errorf("N %d: version %s after the observed optima", w.Params.Get("N").Int(), w.Version)
		}
	}
	for i, w := range observed {
		row := optimaFP32[i]
		n, m := w.Params.Get("N").Int(), w.Tunables.Get("m").Int()
		want, both := f64[n]
		switch {
		case !both:
			want = none
		case want == m:
			want = 0
		}
		if row.f64 != want {
			t.Errorf("N %d: m %d beside %d for FP64, Table 1 says %d", n, m, row.f64, f64[n])
		}
		if (row.corrected != m) != (row.difference < 0) || row.difference > 0 {
			t.Errorf("N %d: m %d, corrected %d, a difference of %g ms", n, m, row.corrected, row.difference)
		}
		if w.Time.Median.IsSet() {
			t.Errorf("N %d: a time of %g s, the source gives none", n, w.Time.Median.Float())
		}
	}
}

// TestRecursions checks that every size that was tried lies in one interval of
// Table 2, and that the intervals' ends were tried.
func TestRecursions(t *testing.T) {
	run, err := record.Read(filepath.Join(results, "rtxa5000-recursion"))
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Rows) != 18 {
		t.Fatalf("%d rows, want 18", len(run.Rows))
	}
	steps := map[int64]int64{}
	for i, w := range run.Rows {
		if n := w.Params.Get("N").Int(); n != recursionSizes[i] {
			t.Errorf("row %d is of N %d, want %d", i, n, recursionSizes[i])
		}
		steps[w.Params.Get("N").Int()] = w.Tunables.Get("R").Int()
	}
	for n, want := range map[int64]int64{2_200_000: 0, 2_300_000: 1, 4_800_000: 1, 5_000_000: 2, 9_600_000: 2, 10_000_000: 3, 100_000_000: 3} {
		if got, tried := steps[n]; !tried || got != want {
			t.Errorf("N %d: %d recursive steps (tried: %v), want %d", n, got, tried, want)
		}
	}
}
