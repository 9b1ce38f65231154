package plots

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/compare"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile/safefiletest"
	"example.org/bench/plots/picture"
)

// compared is a run of two versions at sizes; the second takes factor times
// as long and half the energy.
func compared(t *testing.T, sizes []int64, factor float64) *compare.Comparison {
	t.Helper()
	r := &record.Run{}
	r.Columns.Params = []record.Column{{Name: "N", Column: "N", Kind: framework.Int.String()}}
	for _, n := range sizes {
		for i, v := range []string{"first", "second"} {
			w := record.Row{Key: record.Key{Algorithm: "fft", Version: v, Processor: framework.GPU, Device: "cuda:0"},
				Params: framework.SettingsOf(framework.Values{"N": framework.IntValue(n)}, nil)}
			w.Point, w.Status = len(r.Rows), record.OK
			x := float64(n) * 1e-6 * []float64{1, factor}[i]
			w.Time.Median, w.Time.Low, w.Time.High = record.Measured(x), record.Measured(x*0.98), record.Measured(x*1.02)
			e := float64(n) * 1e-5 * []float64{1, 0.5}[i]
			w.Energy = record.RareOf(record.Energy{Total: record.Measured(e), Uncertainty: record.Measured(e * 0.03)})
			r.Rows = append(r.Rows, w)
		}
	}
	c, err := compare.New([]compare.Run{{Name: "run", Run: r}}, compare.Options{By: compare.ByVersion})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// boardsCompared is one version on two boards' copied files, which executes and accesses as much on both, by what it does for
// a joule: the form of Figure 9 of Frisberg, Geirsson and Urpi Hedbjörk.
func boardsCompared(t *testing.T) *compare.Comparison {
	t.Helper()
	var runs []compare.Run
	for i, board := range []string{"Jetson TX1 (jetson_tx1)", "Jetson TX2 (quill)"} {
		r := &record.Run{}
		r.Info.CopiedFiles = board
		w := record.Row{Key: record.Key{Algorithm: "faulty", Version: "traced", Processor: framework.CPU, Device: "cpu"}}
		w.Status = record.OK
		joules := []float64{0.1024, 0.0853}[i]
		w.Energy = record.RareOf(record.Energy{Total: record.Measured(joules), Uncertainty: record.Measured(joules * 0.02)})
		w.Power = record.RareOf(record.Power{Executed: record.Measured(0.20128 / joules), Accessed: record.Measured(0.10256 / joules)})
		r.Rows = append(r.Rows, w)
		runs = append(runs, compare.Run{Name: board, Run: r})
	}
	c, err := compare.New(runs, compare.Options{By: compare.ByDevice, Metrics: []string{"executed_efficiency", "accessed_efficiency"}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func drawn(t *testing.T, c *compare.Comparison) (dir string) {
	t.Helper()
	dir = os.Getenv("BENCH_PLOTS") // to look at them
	if dir == "" {
		dir = t.TempDir()
	}
	dir = filepath.Join(dir, t.Name())
	files, err := Screen.WriteInto(Comparison(c), safefiletest.Hold(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	if want := len(formats) * (len(c.Tables) + 1); len(files) != want {
		t.Errorf("%d files, want %d: %v", len(files), want, files)
	}
	return dir
}

func TestComparisonShowsValuesAndFront(t *testing.T) {
	dir := drawn(t, compared(t, []int64{1000, 2000, 4000}, 1.5))
	text := texts(t, filepath.Join(dir, "compare_time.svg"))
	for _, want := range []string{"time of one run, by version", "first", "second", "N 1000", "1.000 ms", "6.000 ms", "time of one run (ms)"} {
		if !strings.Contains(text, want) {
			t.Errorf("the bars lack %q:\n%s", want, text)
		}
	}
	text = texts(t, filepath.Join(dir, "compare_time_energy.svg"))
	for _, want := range []string{"time and energy", "front", "N 4000"} {
		if !strings.Contains(text, want) {
			t.Errorf("the scatter lacks %q:\n%s", want, text)
		}
	}
}

// TestComparisonOfWideSweepsIsRelative: bars from 1 µs to 1 s would hide all
// but the largest, so they show ratios, with the values beside.
func TestComparisonOfWideSweepsIsRelative(t *testing.T) {
	dir := drawn(t, compared(t, []int64{1, 100, 1000000}, 1.5))
	text := texts(t, filepath.Join(dir, "compare_time.svg"))
	for _, want := range []string{"relative to the baseline", "1.500 µs", "1.000 s"} {
		if !strings.Contains(text, want) {
			t.Errorf("the bars lack %q:\n%s", want, text)
		}
	}
}

func TestComparisonSaysWhatItLeavesOut(t *testing.T) {
	var sizes []int64
	for n := range int64(45) {
		sizes = append(sizes, 1000+n)
	}
	dir := drawn(t, compared(t, sizes, 1.1))
	text := texts(t, filepath.Join(dir, "compare_time.svg"))
	if want := fmt.Sprintf("the first 40 of %d points", len(sizes)); !strings.Contains(text, want) {
		t.Errorf("the figure does not say %q", want)
	}
}

// inTurns are two versions of fft in turns at several problems, none for one without parameters.
func inTurns(a, b string, x *compare.Turns, sizes []int64) *picture.Turns {
	var all experiment.Turns
	at := func(version string, params framework.Values) plan.Point {
		return plan.Point{Algorithm: "fft", Version: version, Params: params, ParamOrder: []string{"N", "batch_elements"}}
	}
	for _, n := range sizes {
		params := framework.Values{"N": framework.IntValue(n), "batch_elements": framework.IntValue(262144 / n)}
		all.Pairs = append(all.Pairs, &experiment.Pair{A: at(a, params), B: at(b, params), Result: x})
	}
	if sizes == nil {
		all.Pairs = []*experiment.Pair{{A: at(a, nil), B: at(b, nil), Result: x}, {A: at(a, nil)}}
	}
	return picture.TurnsOf(&all)
}

func TestTurns(t *testing.T) {
	x, err := compare.TurnsOf([]float64{0.998, 1.001, 1.003, 0.999}, []float64{1.049, 1.052, 1.051, 1.047}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if files, err := Screen.Write(Turns(inTurns("a", "b", x, nil)), safefiletest.Hold(t, dir)); err != nil || len(files) != len(formats) {
		t.Fatalf("%v, %v", files, err)
	}
	text := texts(t, filepath.Join(dir, Folder, "ab.svg"))
	for _, want := range []string{"a by itself", "b / a", "fft; 4 repeats", "1.050 (", "1.02"} {
		if !strings.Contains(text, want) {
			t.Errorf("the figure lacks %q:\n%s", want, text)
		}
	}
	if files, err := Screen.Write(Turns(nil), safefiletest.Hold(t, dir)); len(files) != 0 || err != nil {
		t.Errorf("no repeats: %v, %v", files, err)
	}
}
