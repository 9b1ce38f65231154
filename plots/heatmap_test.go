package plots

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/internal/safefile/safefiletest"
	"example.org/bench/plots/picture"
)

// TestHeatOrdersValues: cells are shares of the best, at ascending values.
func TestHeatOrdersValues(t *testing.T) {
	none, absent := math.NaN(), math.Inf(1)
	m := picture.HeatMap{Name: "v N 64", X: "P", Y: "L", XValues: []float64{8, 2, 4}, YValues: []float64{64, 32}, Objective: "time",
		Cost: [][]float64{{2, absent, none}, {1, none, 8}}}
	h := newHeat(m.Cells())
	want := [][]float64{{none, 0.125, 1}, {0, none, 0.5}}
	for i := range want {
		for j := range want[i] {
			if got := h.Share[i][j]; got != want[i][j] && !(math.IsNaN(got) && math.IsNaN(want[i][j])) {
				t.Errorf("cell %d, %d is %v, want %v", i, j, got, want[i][j])
			}
		}
	}
	if h.x.Ticks[0].Text != "2" || h.x.Ticks[2].Text != "8" || h.y.Ticks[0].Text != "32" {
		t.Errorf("ticks %v, %v", h.x.Ticks, h.y.Ticks)
	}
	dir := t.TempDir()
	empty := picture.HeatMap{Name: "nothing", X: "a", Y: "b", XValues: []float64{1}, YValues: []float64{1}, Cost: [][]float64{{none}}}
	files, err := Screen.WriteInto(HeatMaps([]picture.HeatMap{m, empty}), safefiletest.Hold(t, dir))
	if err != nil || len(files) != len(formats) {
		t.Fatalf("%v, %v", files, err)
	}
	if info, err := os.Stat(filepath.Join(dir, "heatmap-v-N-64.svg")); err != nil || info.Size() < 1000 {
		t.Errorf("%v", err)
	}
}

// TestHeatOfAnotherWhole: cells are shares of Full, under the title and note given.
func TestHeatOfAnotherWhole(t *testing.T) {
	dir := t.TempDir()
	m := picture.HeatMap{Name: "v", X: "P", Y: "L", XValues: []float64{1}, YValues: []float64{1}, Cost: [][]float64{{4}}, Full: 1, Title: "a title", Note: "a note"}
	if _, err := Screen.WriteInto(HeatMaps([]picture.HeatMap{m}), safefiletest.Hold(t, dir)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "heatmap-v.svg"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">a title<", ">a note<", ">25<"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the picture lacks %s", want)
		}
	}
}
