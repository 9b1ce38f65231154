package replay

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework/pareto"
	"example.org/bench/internal/safefile/safefiletest"
	"example.org/bench/plots"
	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded"
	"example.org/bench/tuning/recorded/recordedtest"
)

var update = flag.Bool("update", false, "write the planted space of results/tuning-front anew")

// planted is the folder of the published space with planted energies.
const planted = "../../results/tuning-front"

// TestPlantedSpace is what its README says.
func TestPlantedSpace(t *testing.T) {
	want := recordedtest.Clocked(t, recordedtest.Open(t, "coulomb_ktt-RTX_2080_Ti"), 1000, 1200, 1400, 1600, 1800)
	if *update {
		if err := want.WriteFile(safefiletest.Hold(t, planted)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := recorded.Open(filepath.Join(planted, want.Name+".csv.gz"), nil)
	if err != nil {
		t.Fatal(err)
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*b || math.IsNaN(a) && math.IsNaN(b) }
	if !slices.EqualFunc(got.Costs, want.Costs, near) || !slices.EqualFunc(got.Energies, want.Energies, near) {
		t.Error("another space than recordedtest.Clocked plants: -update writes it")
	}
}

// traded is four points, of which the second invalid and the last beaten, and a strategy that
// takes them in that order.
func traded(t *testing.T) (*recorded.Space, tuning.Info) {
	s := recordedtest.Line(t, 4, 0)
	s.Costs = []float64{2, math.NaN(), 1, 2}
	s.Energies = []float64{10, math.NaN(), 30, 20}
	info := listed(1, 2, 3, 4)
	info.Fronts = true
	return s, info
}

// TestReplayOfAFront counts the share of the hypervolume after each evaluation.
func TestReplayOfAFront(t *testing.T) {
	s, info := traded(t)
	r := replayed(t, []*recorded.Space{s}, info, Options{Budget: 4, Repeats: 3, Front: true})
	// The reference is (2.1, 32): 0.1·22 of 4.2 with (2, 10), and the rest with (1, 30).
	want := []float64{2.2 / 4.2, 2.2 / 4.2, 1, 1}
	if !slices.EqualFunc(r.Median, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) || r.EvaluationsMedian != 3 || r.Invalid != 1 {
		t.Errorf("shares %v, Standard 1 %d, %v invalid; want %v, 3, 1", r.Median, r.EvaluationsMedian, r.Invalid, want)
	}
	if !slices.Equal(r.Fronts[0], pareto.Set{{X: 1, Y: 30}, {X: 2, Y: 10}}) {
		t.Errorf("found %v", r.Fronts[0])
	}
	dir := t.TempDir()
	if files, err := Write([]*Result{r}, safefiletest.Hold(t, dir)); err != nil || len(files) != 2 {
		t.Errorf("%v, %v", files, err)
	}
	if files, err := plots.Screen.Write(Figures([]*Result{r}, []*recorded.Space{s}), safefiletest.Hold(t, dir)); err != nil || len(files) != 6 { // two figures in three forms
		t.Errorf("%v, %v", files, err)
	}
	if again, err := FiguresOf(dir); err != nil || len(again) != 1 {
		t.Errorf("of the folder: %d figures, %v; want that of the convergence", len(again), err)
	}
	drawn, err := os.ReadFile(filepath.Join(dir, plots.Folder, "front-line.svg"))
	if err != nil || !strings.Contains(string(drawn), "listed, 1.000 of the hypervolume") {
		t.Errorf("%v: no legend in the figure", err)
	}
	// Patience is about the hypervolume: the third trial gains, the fourth does not.
	r = replayed(t, []*recorded.Space{s}, info, Options{Budget: 4, Repeats: 1, Front: true, Patience: &tuning.Patience{Least: 2, Gain: 0.01}})
	if r.Evaluations != 4 {
		t.Errorf("%v evaluations", r.Evaluations)
	}
	r = replayed(t, []*recorded.Space{s}, info, Options{Budget: 4, Repeats: 1, Front: true, Patience: &tuning.Patience{Least: 1, Gain: 0.01}})
	if r.Evaluations != 2 {
		t.Errorf("%v evaluations; the second gained nothing", r.Evaluations)
	}
}
